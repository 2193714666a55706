export type Yaml = string | readonly Yaml[] | YamlMap;
export interface YamlMap {
  readonly [key: string]: Yaml;
}

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** A line with a key and, after a colon, a value or nothing. */
const PAIR = /^([\w-]+):(?:\s+(.*))?$/;

/**
 * The YAML subset of headers: maps and lists by indentation, or as JSON on one line, every scalar as text. Lines it does not understand are left out; it never
 * throws.
 */
export function readYamlMap(text: string): YamlMap {
  const lines = text
    .split('\n')
    .map((raw) => ({ indent: raw.search(/\S|$/), text: raw.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
  return readMap(lines, 0).value;
}

interface Read<Value> {
  readonly value: Value;
  /** The first line after it. */
  readonly next: number;
}

function readMap(lines: readonly Line[], first: number): Read<YamlMap> {
  const indent = lines[first]?.indent ?? 0;
  const pairs: [string, Yaml][] = [];
  let at = first;
  for (let line = lines[at]; line !== undefined && line.indent >= indent; line = lines[at]) {
    const [, key, rest] = line.indent === indent ? (PAIR.exec(line.text) ?? []) : [];
    at += 1;
    if (key === undefined) continue;
    const { value, next } = rest === undefined ? readBelow(lines, at, indent) : { value: scalarOrFlow(rest), next: at };
    pairs.push([key, value]);
    at = next;
  }
  return { value: Object.fromEntries(pairs), next: at };
}

/** The value of a key without one on its line: deeper lines, or a list at the key's own depth, or nothing. */
function readBelow(lines: readonly Line[], first: number, indent: number): Read<Yaml> {
  const line = lines[first];
  if (line !== undefined && isItem(line) && line.indent >= indent) return readList(lines, first);
  return line !== undefined && line.indent > indent ? readMap(lines, first) : { value: '', next: first };
}

function readList(lines: readonly Line[], first: number): Read<readonly Yaml[]> {
  const indent = lines[first]?.indent ?? 0;
  const items: Yaml[] = [];
  let at = first;
  for (let line = lines[at]; line !== undefined && line.indent === indent && isItem(line); line = lines[at]) {
    const text = line.text.slice(1).trimStart();
    if (!PAIR.test(text)) {
      items.push(scalarOrFlow(text));
      at += 1;
      continue;
    }
    const map = readMap(lines.with(at, { indent: indent + line.text.length - text.length, text }), at);
    items.push(map.value);
    at = map.next;
  }
  return { value: items, next: at };
}

const isItem = ({ text }: Line) => text === '-' || text.startsWith('- ');

function scalarOrFlow(text: string): Yaml {
  if (text.startsWith('"')) return fromJson(text) ?? /^"(.*)"$/.exec(text)?.[1] ?? '';
  if (/^[[{]/.test(text)) return fromJson(text) ?? flowList(text) ?? text;
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  return text.replace(/\s#.*$/, '');
}

function flowList(text: string): readonly string[] | null {
  const [, inside] = /^\[([^[{"]*)\]$/.exec(text) ?? [];
  return inside === undefined ? null : inside.split(',').flatMap((item) => item.trim() || []);
}

function fromJson(text: string): Yaml | null {
  try {
    return allText(JSON.parse(text));
  } catch {
    return null;
  }
}

function allText(value: unknown): Yaml {
  if (Array.isArray(value)) return value.map(allText);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, allText(each)]));
}
