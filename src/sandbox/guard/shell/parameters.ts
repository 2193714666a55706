import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash';
import { couldBe, HOLE, isKnown, SECRET } from './holes.ts';
import { lookUp, type Scope, type Value } from './shell.ts';

/** Longer values are not followed. */
export const LONGEST_VALUE = 4096;
/** Patterns are tried at every position of a value, so only short values are cut. */
const LONGEST_CUT = 256;

/** The value of a variable: one text, or the elements of an array. */
export interface Held {
  readonly values: readonly string[];
  readonly isList: boolean;
}

const text = (value: string): Held => ({ values: [value.length > LONGEST_VALUE ? HOLE : value], isList: false });
const list = (values: readonly string[]): Held => ({ values, isList: true });

const SECRETLY = /(^|_)(SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?|AUTH)(_|$|S$)|(APIKEY|PASSWORD|SECRET|TOKEN)$/i;

/** Whether a variable of that name contains a secret. */
export const isSecretName = (name: string): boolean => SECRETLY.test(name);

function unknown(name: string): string {
  if (name === '0') return 'bash';
  return isSecretName(name) ? SECRET : HOLE;
}

/** The value of a variable without modifiers. */
export function variable(name: string, scope: Scope): Held {
  if (name === '@' || name === '*') return list(scope.args ?? [HOLE]);
  if (name === 'PWD') return text(scope.cwd);
  if (/^[1-9]\d*$/.test(name)) return text(scope.args === null ? HOLE : (scope.args[Number(name) - 1] ?? ''));
  const value = lookUp(scope, 'variables', name);
  return text(typeof value === 'string' ? value : (value?.[0] ?? unknown(name)));
}

/** Expands `${…}` with all its operators; `word` resolves a nested word to one text. */
export function expanded(part: ParameterExpansionPart, scope: Scope, word: (word: Word) => string): Held {
  if (part.prefix === '#') return text(HOLE);
  const plain = part.index === undefined ? variable(part.parameter, scope) : element(part.parameter, word(part.index), scope);
  const held = part.prefix === '!' ? variable(plain.values[0] ?? '', scope) : plain;
  if (part.operation === undefined) return held;
  const { operation } = part;
  return { ...held, values: held.values.map((value) => changed(value, operation, { word, keep: (now) => scope.variables.set(part.parameter, now) })) };
}

function element(name: string, index: string, scope: Scope): Held {
  const value: Value | undefined = lookUp(scope, 'variables', name);
  const all = typeof value === 'string' ? [value] : (value ?? [HOLE]);
  if (index === '@' || index === '*') return list(all);
  return text(/^\d+$/.test(index) ? (all[Number(index)] ?? HOLE) : HOLE);
}

interface Means {
  readonly word: (word: Word) => string;
  readonly keep: (value: string) => void;
}

function changed(value: string, operation: ParameterOperation, { word, keep }: Means): string {
  switch (operation.type) {
    case 'Default':
      return withDefault(value, operation.operator, { other: word(operation.operand), keep });
    case 'Remove':
      return cut(value, operation.operator, word(operation.operand));
    case 'Replace':
      return replaced(value, operation.operator, { pattern: word(operation.pattern), by: word(operation.replacement) });
    case 'Slice':
      return sliced(value, word(operation.offset), operation.length && word(operation.length));
    case 'CaseModification':
      return recased(value, operation.operator);
    case 'Transform':
    case 'Names':
    case 'Unknown':
      return HOLE;
    default:
      return HOLE;
  }
}

/** Whether the environment has such a variable is unknown, so the default in the line is used. */
function withDefault(value: string, operator: string, { other, keep }: { readonly other: string; readonly keep: Means['keep'] }): string {
  if (operator.endsWith('?')) return value;
  if (operator.endsWith('+')) return value === '' ? '' : other;
  if (value !== HOLE && value !== SECRET && value !== '') return value;
  if (operator.endsWith('=')) keep(other);
  return other;
}

function cut(value: string, operator: string, pattern: string): string {
  const isFront = operator.startsWith('#');
  if (isFront && isKnown(pattern) && value.startsWith(pattern)) return value.slice(pattern.length);
  if (!isKnown(value) || value.length > LONGEST_CUT || pattern.length > LONGEST_CUT) return HOLE;
  const lengths = Array.from({ length: value.length + 1 }, (_, n) => n);
  const ordered = operator.length === 2 ? lengths.reverse() : lengths;
  const found = ordered.find((n) => couldBe(pattern, isFront ? value.slice(0, n) : value.slice(value.length - n)));
  if (found === undefined) return value;
  return isFront ? value.slice(found) : value.slice(0, value.length - found);
}

function replaced(value: string, operator: string, { pattern, by }: { readonly pattern: string; readonly by: string }): string {
  if (!isKnown(value) || !isKnown(pattern) || pattern === '') return HOLE;
  if (operator === '//') return value.replaceAll(pattern, () => by);
  if (operator === '/#') return value.startsWith(pattern) ? by + value.slice(pattern.length) : value;
  if (operator === '/%') return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) + by : value;
  return value.replace(pattern, () => by);
}

function sliced(value: string, offset: string, length: string | undefined): string {
  const isNumber = (word: string) => /^\s*-?\d+$/.test(word);
  if (!isNumber(offset) || (length !== undefined && !isNumber(length))) return HOLE;
  const rest = value.slice(Number(offset));
  return length === undefined ? rest : rest.slice(0, Number(length));
}

function recased(value: string, operator: string): string {
  const change = (letters: string) => (operator.startsWith('^') ? letters.toUpperCase() : letters.toLowerCase());
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}
