import { forEachChild, type HereDocBody, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { NOTHING, type Stream, UNKNOWN } from '../step.ts';
import { HOLE, isKnown, MADE, ONE, STAR } from './holes.ts';
import { expanded, type Held, LONGEST_VALUE, variable } from './parameters.ts';
import { type Around, deeper, innerScope, lookUp, type Scope, type Shell, spend } from './shell.ts';

/** The words that a shell makes of one word: unquoted, split, and with the known values of variables. */
export function resolveWord(word: Word, shell: Shell, around: Around): readonly string[] {
  const { parts } = word;
  if (parts === undefined) return [withHome(word.value)];
  const building: Building = { done: [], open: [''], isFilled: false };
  for (const [index, part] of parts.entries()) addPart(part, building, { shell, around, isFirst: index === 0 });
  if (building.isFilled || building.open.some((text) => text !== '')) building.done.push(...building.open);
  return spend(shell, building.done.length) ? building.done : [];
}

/** The word as one text, as in quotes or in an assignment. */
export function resolveText(word: Word, shell: Shell, around: Around): string {
  if (word.parts === undefined) return withHome(word.value);
  return bounded(word.parts.map((part, index) => oneText(part, { shell, around, isFirst: index === 0 })).join(''));
}

/** The text of a here-document. */
export const resolveHereDoc = ({ text, parts }: HereDocBody, shell: Shell, around: Around): string =>
  parts === undefined ? text : parts.map((part) => oneText(part, { shell, around, isFirst: false })).join('');

/** Walks the commands inside a node that is not a word, such as arithmetic or a test. */
export function runInside(node: SyntaxNode, shell: Shell, around: Around): void {
  forEachChild(node, (child) => {
    if (child.type === 'Word') resolveWord(child, shell, around);
    else if (child.type === 'CommandExpansion' || child.type === 'ArithmeticCommandExpansion') printed(child.script, shell, around);
    else if (spend(shell)) runInside(child, shell, around);
  });
}

interface Building {
  readonly done: string[];
  /** The word being built; several while it contains braces. */
  open: readonly string[];
  /** Whether the word exists even if it is empty. */
  isFilled: boolean;
}

interface Spot {
  readonly shell: Shell;
  readonly around: Around;
  readonly isFirst: boolean;
}

const bounded = (text: string) => (text.length > LONGEST_VALUE * 16 ? HOLE : text);

function addPart(part: WordPart, building: Building, spot: Spot): void {
  if (part.type === 'BraceExpansion') {
    addAlternatives(part.text, building, spot);
    return;
  }
  const held = heldBy(part, spot);
  if (held !== null) {
    addFields(held.isList ? held.values : held.values.flatMap((value) => fieldsOf(value, spot.around.scope)), building);
    return;
  }
  if ((part.type === 'DoubleQuoted' || part.type === 'LocaleString') && part.parts.length === 1 && part.parts[0] !== undefined) {
    const inner = heldBy(part.parts[0], spot);
    if (inner?.isList) {
      addFields(inner.values, building);
      return;
    }
  }
  const text = oneText(part, spot);
  building.open = building.open.map((before) => bounded(before + text));
  building.isFilled ||= part.type !== 'CommandExpansion' || text !== '';
}

/** An unquoted value is split at white space, or at the characters in IFS. */
function fieldsOf(value: string, scope: Scope): readonly string[] {
  const separators = lookUp(scope, 'variables', 'IFS');
  if (typeof separators === 'string' && separators.length === 1 && isKnown(separators)) return value.split(separators);
  if (!/\s/.test(value)) return [value];
  const fields = value.split(/\s+/);
  return fields.every((field) => field === '') ? ['', ''] : fields;
}

function addFields(fields: readonly string[], building: Building): void {
  const [first = '', ...rest] = fields;
  building.open = building.open.map((before) => before + first);
  for (const field of rest) {
    building.done.push(...building.open.filter((text) => text !== ''));
    building.open = [field];
    building.isFilled = false;
  }
}

function addAlternatives(text: string, building: Building, spot: Spot): void {
  const inner = deeper(spot.shell, spot.around);
  const found = inner === null ? null : braceAlternatives(text);
  const texts = found?.flatMap((each) => wordsOf(each, { ...spot, around: inner ?? spot.around })) ?? [HOLE];
  const all = building.open.flatMap((before) => texts.map((each) => before + each));
  building.open = all.length > MOST_ALTERNATIVES ? [...all.slice(0, MOST_ALTERNATIVES), HOLE] : all;
  building.isFilled = true;
}

/** The words of one alternative, which may contain quotes, variables and braces of its own. */
function wordsOf(text: string, { shell, around }: Spot): readonly string[] {
  if (/^[\w./:=+@%-]*$/.test(text)) return [text];
  const command = parse(`x ${text}`).commands[0]?.command;
  const word = command?.type === 'Command' ? command.args[0] : undefined;
  return word?.type === 'Word' ? resolveWord(word, shell, around) : [HOLE];
}

/** The value of a variable; null when the part is not a variable. */
function heldBy(part: WordPart, { shell, around }: Spot): Held | null {
  if (part.type === 'SimpleExpansion') return variable(part.text.slice(1), around.scope);
  if (part.type !== 'ParameterExpansion') return null;
  return expanded(part, around.scope, (word) => resolveText(word, shell, around));
}

/** An address such as [::1] is not a pattern. */
const ADDRESS = /^\[[\da-fA-F.]*:[\da-fA-F.:]*\]$/;

function oneText(part: WordPart, spot: Spot): string {
  switch (part.type) {
    case 'Literal':
      return spot.isFirst ? withHome(part.value) : part.value;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((each) => oneText(each, { ...spot, isFirst: false })).join('');
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return heldBy(part, spot)?.values.join(' ') ?? HOLE;
    case 'Glob':
      return ADDRESS.test(part.text) ? part.text : part.kind === 'star' ? STAR : ONE;
    case 'ExtendedGlob':
      return STAR;
    case 'BraceExpansion':
      return part.text;
    case 'CommandExpansion':
      return printed(part.script, spot.shell, spot.around).text?.replace(/\n+$/, '') ?? MADE;
    case 'ProcessSubstitution':
      return fileOf(part.operator, printed(part.script, spot.shell, part.operator === '>' ? { ...spot.around, input: UNKNOWN } : spot.around), spot);
    case 'ArithmeticExpansion':
      runInside(part, spot.shell, spot.around);
      return HOLE;
    default:
      return HOLE;
  }
}

/** What a substitution prints. It sees the scope around it but does not change it. */
function printed(script: Parameters<Shell['runScript']>[0] | undefined, shell: Shell, around: Around): Stream {
  const inner = deeper(shell, around);
  if (script === undefined || inner === null) return UNKNOWN;
  return shell.runScript(script, { ...inner, scope: innerScope(inner.scope), isPiped: false, into: [] });
}

/** The file that a process substitution stands for. */
function fileOf(operator: '<' | '>', stream: Stream, { around }: Spot): string {
  const { files } = around.scope;
  const path = `/dev/fd/${operator === '<' ? 'from' : 'to'}-${files.size}`;
  files.set(path, operator === '<' ? stream : NOTHING);
  return path;
}

/** The home of another user. The own `~` is resolved with the paths. */
const withHome = (value: string) => (/^~[\w.-]+/.test(value) ? `/home/${value.slice(1)}` : value);

/** The most alternatives of braces that are handled one by one. */
const MOST_ALTERNATIVES = 64;

/** The alternatives of `{a,b}` or `{1..3}`, still in shell syntax; null when there are too many, or it is neither. */
function braceAlternatives(text: string): readonly string[] | null {
  const inside = text.slice(1, -1);
  const range = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?$/.exec(inside);
  const found = range === null ? splitAtCommas(inside) : rangeOf(range);
  return found.length > MOST_ALTERNATIVES ? null : found;
}

/** Splits at commas outside inner braces and quotes. */
function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: piece, index } of text.matchAll(/\\[\s\S]|'[^']*'|"[^"]*"|[{},]/g)) {
    if (piece === '{') depth += 1;
    if (piece === '}') depth -= 1;
    if (piece !== ',' || depth !== 0) continue;
    parts.push(text.slice(from, index));
    from = index + 1;
  }
  return [...parts, text.slice(from)];
}

function rangeOf([, from = '', to = '', step = '1']: readonly string[]): readonly string[] {
  const isNumber = /\d/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const width = Math.max(Math.abs(Number(step)), 1);
  const count = Math.min(Math.floor(Math.abs(last - first) / width) + 1, MOST_ALTERNATIVES + 1);
  return Array.from({ length: count }, (_, n) => first + (last < first ? -n : n) * width).map((n) => (isNumber ? String(n) : String.fromCharCode(n)));
}
