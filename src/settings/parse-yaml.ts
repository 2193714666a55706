import type { CST, Document, Node, YAMLError } from 'yaml';

type Yaml = typeof import('yaml');

/** The value of a YAML text, or why it was refused. */
export type YamlRead = ReadValue | { readonly kind: 'unreadable'; readonly reason: string };

interface ReadValue {
  readonly kind: 'value';
  readonly value: unknown;
  /** The line of the value at a path, or of its key, counted from 1. */
  readonly lineOf: (path: Path) => number;
}

type Path = readonly PropertyKey[];

/** Settings are never nested deeper. Much deeper nesting would overflow the parser's stack, and could crash the process. */
const DEEPEST = 50;
/** Aliases of aliases grow exponentially, so we limit how many values they may expand to. */
const MOST_ALIASES = 100;

/** Parses one document of YAML 1.2, which includes JSON. Loads the parser only when it is needed. */
export async function parseYaml(text: string): Promise<YamlRead> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const tokens = [...new yaml.Parser(lines.addNewLine).parse(text)];
  if (isTooDeep(tokens)) return { kind: 'unreadable', reason: `there are more than ${DEEPEST} lists and maps inside of each other` };
  const documents = [...new yaml.Composer({ prettyErrors: false, lineCounter: lines }).compose(tokens)];
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const [document, second] = documents;
  if (second !== undefined) return { kind: 'unreadable', reason: `line ${lineAt(second.range[0])}: a second document begins; one is all there may be` };
  const [trouble] = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
  if (trouble !== undefined) return { kind: 'unreadable', reason: `line ${lineAt(trouble.pos[0])}: ${inWords(trouble, text)}` };
  return document === undefined ? { kind: 'value', value: null, lineOf: () => 1 } : readValue(document, (path) => lineAt(offsetOf(yaml, document, path)));
}

function readValue(document: Document.Parsed, lineOf: (path: Path) => number): YamlRead {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    // The parser returns a value that contains itself without an error; this throws.
    JSON.stringify(value);
    return { kind: 'value', value, lineOf };
  } catch (error) {
    return { kind: 'unreadable', reason: aliasTrouble(error as Error) };
  }
}

function aliasTrouble({ name, message }: Error): string {
  if (message.startsWith('Excessive alias count')) return `its aliases stand for more than ${MOST_ALIASES} values`;
  return name === 'TypeError' ? 'an alias stands inside of what it stands for' : message;
}

/** Not recursive, because the depth is unbounded. */
function isTooDeep(tokens: readonly CST.Token[]): boolean {
  let level = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap(insideOf);
  }
  return false;
}

function insideOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value]).filter((inside) => inside !== undefined && inside !== null);
}

const WORDS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'there is a tab in the indentation, where YAML wants spaces',
  BAD_ALIAS: 'there is an alias without a name',
};

function inWords({ code, message, pos }: YAMLError, text: string): string {
  if (code === 'DUPLICATE_KEY') return `${JSON.stringify(/^["']?([^\s:"']{1,60})/.exec(text.slice(pos[0], pos[0] + 80))?.[1] ?? 'a key')} is there twice`;
  if (code === 'TAG_RESOLVE_FAILED') return `there is a tag that means nothing here: ${message.replace(/^Unresolved tag: /, '')}`;
  return WORDS[code] ?? message;
}

/** The offset of the value; if the value is missing, the offset of the nearest parent. */
function offsetOf({ isMap, isScalar, isSeq }: Yaml, { contents }: Document.Parsed, path: Path): number {
  let node: Node | null = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === part) : undefined;
    const inside: unknown = isSeq(node) ? node.items[Number(part)] : pair?.value;
    const named = pair?.key ?? inside;
    if (!isPlaced(named)) return offset;
    offset = named.range[0];
    node = isPlaced(inside) ? inside : null;
  }
  return offset;
}

function isPlaced(node: unknown): node is Node & { readonly range: readonly [number, ...number[]] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
