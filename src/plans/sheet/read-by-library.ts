import type { CST, Document, Node, Pair, ParsedNode, Scalar } from 'yaml';
import { duplicatePairs, skipSpaces } from './quick-scan.ts';
import { DEEPEST, type Sheet, type SheetMap, type SheetPair } from './sheet.ts';

type Yaml = typeof import('yaml');
type Complain = (offset: number, message: string) => void;

interface Work {
  readonly yaml: Yaml;
  readonly text: string;
  readonly complain: Complain;
  readonly anchors: Map<string, Sheet>;
  /** How many more values may come from aliases. A text without aliases has no more values than characters. */
  lent: number;
}

const MOST_REPORTED = 20;
const ALIASES_FREE = 10_000;

/** Reads any YAML, and so JSON as well, slowly. Null when it has no usable content; every problem has a place. */
export async function readByLibrary(text: string, complain: Complain): Promise<Sheet | null> {
  const yaml = await import('yaml');
  const tokens = [...new yaml.Parser().parse(text)];
  const deep = tooDeep(tokens, DEEPEST);
  if (deep !== null) return refuse(complain, deep, `there are more than ${DEEPEST} lists and maps inside of each other`);
  // The library's own check for duplicate keys is quadratic.
  const documents = [...new yaml.Composer({ prettyErrors: false, uniqueKeys: false }).compose(tokens)];
  const [document, second] = documents;
  if (second !== undefined) return refuse(complain, second.range[0], 'a second document begins; one is all there may be');
  if (document === undefined || document.contents === null) return null;
  if (tellTrouble(document, text, complain)) return null;
  const work: Work = { yaml, text, complain, anchors: new Map(), lent: text.length + ALIASES_FREE };
  return sheetOf(work, document.contents);
}

function refuse(complain: Complain, offset: number, message: string): null {
  complain(offset, message);
  return null;
}

function tellTrouble({ errors, warnings }: Document.Parsed, text: string, complain: Complain): boolean {
  const all = [...errors, ...warnings];
  for (const { pos, code, message } of all.slice(0, MOST_REPORTED))
    complain(pos[0], code === 'TAB_AS_INDENT' || text[pos[0]] === '\t' ? 'a tab cannot set a line in: use spaces' : lowered(message));
  if (all.length > MOST_REPORTED) complain(all[MOST_REPORTED]?.pos[0] ?? 0, `and ${all.length - MOST_REPORTED} more`);
  return all.length > 0;
}

const lowered = (message: string) => `${message.charAt(0).toLowerCase()}${message.slice(1)}`;

function sheetOf(work: Work, node: ParsedNode): Sheet {
  if (work.yaml.isAlias(node)) return aliasValue(work, node.source, node.range);
  const sheet = work.yaml.isScalar(node) ? scalarOf(work, node) : collectionOf(work, node);
  if (node.anchor !== undefined) work.anchors.set(node.anchor, sheet);
  return sheet;
}

/** An alias's value. It is not copied: the anchor's value exists once, however often it is used. */
function aliasValue(work: Work, name: string, range: Node['range']): Sheet {
  const [start, end] = range ?? [0, 0];
  const sheet = work.anchors.get(name);
  const size = sheet === undefined || sheet.kind === 'text' ? 1 : sheet.kind === 'list' ? sheet.items.length : sheet.pairs.length;
  work.lent -= size;
  if (sheet !== undefined && work.lent >= 0) return { ...sheet, start, end };
  if (sheet === undefined) work.complain(start, `the alias *${name} stands for nothing that is complete before it`);
  else if (work.lent + size >= 0) work.complain(start, 'its aliases stand for more than is reasonable');
  return { kind: 'text', value: null, source: '', start, end };
}

function scalarOf({ text }: Work, node: Scalar.Parsed): Sheet {
  const [start, valueEnd] = node.range;
  const end = endOf(text, start, valueEnd);
  const source = text.slice(start, end);
  const value = node.value as unknown;
  const isKnown = value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { kind: 'text', value: isKnown ? value : source, source, start, end };
}

/** A text behind `|` or `>` ends with its last line that is not empty, unless the header says to keep the rest. */
function endOf(text: string, start: number, valueEnd: number): number {
  if (text[start] !== '|' && text[start] !== '>') return valueEnd;
  const written = text.slice(start, valueEnd);
  return /^.\d?\+/.test(written) ? start + written.replace(/\r?\n$/, '').length : skipSpaces(text, start + written.trimEnd().length);
}

function collectionOf(work: Work, node: Exclude<ParsedNode, Scalar.Parsed | { source: string }>): Sheet {
  const [start, valueEnd] = node.range;
  const isFlow = node.flow === true;
  if (work.yaml.isSeq(node)) {
    const items = node.items.map((item) => sheetOf(work, item as ParsedNode));
    return { kind: 'list', items, isFlow, start, end: isFlow ? valueEnd : (items.at(-1)?.end ?? start) };
  }
  const own = (node.items as Pair<ParsedNode, ParsedNode | null>[]).map((pair) => pairOf(work, pair, start));
  for (const { key, start: at } of duplicatePairs(own)) if (key !== '<<') work.complain(at, `"${key}" is there twice`);
  return { kind: 'map', pairs: merged(own), isFlow, start, end: isFlow ? valueEnd : (own.at(-1)?.end ?? start) };
}

function pairOf(work: Work, { key, value }: Pair<ParsedNode, ParsedNode | null>, mapStart: number): SheetPair {
  const name = sheetOf(work, key);
  if (name.kind !== 'text') work.complain(name.start, 'a list or a map is no name for a value');
  const start = beginOf(work.text, key.range?.[0] ?? mapStart);
  const afterColon = value === null ? name.end : work.text.indexOf(':', name.end) + 1;
  const written = value === null ? null : sheetOf(work, value);
  const isEmpty = written === null || (written.kind === 'text' && written.source === '' && written.start === written.end);
  const sheet: Sheet = isEmpty ? { kind: 'text', value: null, source: '', start: afterColon, end: afterColon } : written;
  const text = name.kind === 'text' ? (typeof name.value === 'string' ? name.value : name.source) : '';
  return { key: text, start, afterColon, value: sheet, isOwn: true, end: Math.max(sheet.end, afterColon) };
}

/** A key may have a question mark before it, which then begins its line. */
function beginOf(text: string, key: number): number {
  let at = key - 1;
  while (text[at] === ' ') at -= 1;
  return at < key - 1 && text[at] === '?' && (at === 0 || ' \n'.includes(text.charAt(at - 1))) ? at : key;
}

/** Merged pairs come after a map's own, and the first of several counts. */
function merged(own: readonly SheetPair[]): readonly SheetPair[] {
  const merges = own.filter(({ key }) => key === '<<');
  if (merges.length === 0) return own;
  const names = new Set(own.map(({ key }) => key));
  const sources = merges.flatMap(({ value }) => (value.kind === 'list' ? value.items : [value])).filter((value): value is SheetMap => value.kind === 'map');
  const pairs = [...own];
  for (const pair of sources.flatMap((lender) => lender.pairs)) {
    if (names.has(pair.key)) continue;
    names.add(pair.key);
    pairs.push({ ...pair, isOwn: false });
  }
  return pairs;
}

/** The offset of the first list or map that is nested too deep; null when there is none. Without recursion, because the depth is unknown. */
function tooDeep(tokens: readonly CST.Token[], most: number): number | null {
  let level = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return level[0]?.offset ?? 0;
    level = level.flatMap(insideOf);
  }
  return null;
}

function insideOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value]).filter((inside) => inside !== undefined && inside !== null);
}
