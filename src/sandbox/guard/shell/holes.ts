/** In a resolved word: the value of a variable that this line does not set. */
export const HOLE = '\uE000';
/** In a resolved word: output of a command that cannot be known before it runs. */
export const MADE = '\uE001';
/** An unquoted `*`. */
export const STAR = '\uE002';
/** An unquoted `?` or `[…]`. */
export const ONE = '\uE003';
/** A hole whose variable has the name of a secret. */
export const SECRET = '\uE004';

const ANY = /[\uE000-\uE004]/g;
const SHOWN: Readonly<Record<string, string>> = { [HOLE]: '$…', [MADE]: '$(…)', [STAR]: '*', [ONE]: '?', [SECRET]: '$…' };

/** Replaces these characters in text from outside. */
export const withoutSigns = (text: string): string => text.replace(ANY, '?');

/** The word as people read it. */
export const shown = (text: string): string => text.replace(ANY, (sign) => SHOWN[sign] ?? '?');

/** The word as shell text: patterns that match no file stay as they are. */
export const asText = (word: string): string => word.replaceAll(STAR, '*').replaceAll(ONE, '?');

export const hasHole = (text: string): boolean => /[\uE000\uE001\uE004]/.test(text);
export const isKnown = (text: string): boolean => !/[\uE000-\uE004]/.test(text);

/** A `*` never matches a slash; an unknown text may contain one. */
const isOpen = (sign: string) => sign === HOLE || sign === MADE || sign === SECRET;
const takes = (sign: string, letter: string) => isOpen(sign) || letter !== '/';

/** Whether a word with holes and patterns could be this text. Scans the word once and tracks all positions that it may have reached in the text. */
export function couldBe(word: string, text: string): boolean {
  if (isKnown(word)) return word === text;
  let reached = new Set([0]);
  for (const sign of word) {
    reached = isMany(sign) ? reachedByMany(reached, sign, text) : reachedByOne(reached, sign, text);
    if (reached.size === 0) return false;
  }
  return reached.has(text.length);
}

const reachedByOne = (reached: ReadonlySet<number>, sign: string, text: string) =>
  new Set([...reached].filter((at) => at < text.length && isSame(sign, text[at] ?? '')).map((at) => at + 1));

function reachedByMany(reached: ReadonlySet<number>, sign: string, text: string): Set<number> {
  const next = new Set<number>();
  for (const from of reached) for (let at = from; at <= text.length && !next.has(at) && (at === from || takes(sign, text[at - 1] ?? '')); at += 1) next.add(at);
  return next;
}

const isMany = (sign: string) => isOpen(sign) || sign === STAR;
const isSame = (sign: string, letter: string) => sign === letter || (sign === ONE && letter !== '/');
