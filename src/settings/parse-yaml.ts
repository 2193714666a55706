import type { CST, Document, Node, YAMLError } from 'yaml';

type Yaml = typeof import('yaml');

/** What a text of YAML says, or why it says nothing we take. */
export type YamlRead = ReadValue | { readonly kind: 'unreadable'; readonly reason: string };

interface ReadValue {
  readonly kind: 'value';
  readonly value: unknown;
  /** Where what a path leads to stands, or its key, from 1 on. */
  readonly lineOf: (path: Path) => number;
}

type Path = readonly PropertyKey[];

/** Deeper than any settings go. Far below it the parser would run out of stack, and beyond that take the whole process with it. */
const DEEPEST = 50;
/** Aliases of aliases grow without end: so many values may come of them, no more. */
const MOST_ALIASES = 100;

/** Reads one document. YAML 1.2, so JSON as well; the parser is loaded only when there is something to read. */
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
    // Something that contains itself comes without an error.
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

/** Without recursion: how deep it is, is the question. */
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

/** Where it begins; what is not there is looked for where it should be. */
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
