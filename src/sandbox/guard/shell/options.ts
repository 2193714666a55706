/** Long options by name. Most tools accept abbreviated names, so an abbreviation counts as the full name. */
export interface LongNames extends Iterable<string> {
  readonly has: (name: string) => boolean;
}

/** The arguments of a command, split into options and operands. */
export interface Options {
  /** The letters of short options: `-rf` is r and f. */
  readonly letters: ReadonlySet<string>;
  /** The names of long options without their values. */
  readonly names: LongNames;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

interface Reading {
  readonly letters: Set<string>;
  readonly names: Set<string>;
  readonly values: Map<string, string[]>;
  readonly operands: string[];
}

interface Reader {
  readonly reading: Reading;
  readonly withValue: readonly string[];
}

/** `withValue`: the short letters and long names that take the next word as their value, such as `o` and `--output`. */
export function readOptions(args: readonly string[], withValue: readonly string[] = []): Options {
  const reading: Reading = { letters: new Set(), names: new Set(), values: new Map(), operands: [] };
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  for (let at = 0; at < before.length; at += 1) at += readWord(before[at] ?? '', before[at + 1], { reading, withValue });
  return { ...reading, names: longNames(reading.names), operands: end === -1 ? reading.operands : [...reading.operands, ...args.slice(end + 1)] };
}

/** Shorter abbreviations match several options, and no tool accepts them. */
const SHORTEST_CUT = '--xx'.length;
const isCutFrom = (cut: string, whole: string) => cut.length >= SHORTEST_CUT && whole.startsWith(cut);

function longNames(given: ReadonlySet<string>): LongNames {
  return { has: (name) => given.has(name) || [...given].some((each) => isCutFrom(each, name)), [Symbol.iterator]: () => given[Symbol.iterator]() };
}

/** Returns how many words the option uses. */
function readWord(word: string, next: string | undefined, reader: Reader): number {
  if (word.startsWith('--')) return longOption(word, next, reader);
  if (!word.startsWith('-') || word.length === 1) {
    reader.reading.operands.push(word);
    return 0;
  }
  const taken = shortOptions(word, reader.withValue, reader.reading.letters);
  if (taken === null) return 0;
  keep(reader.reading, taken.letter, taken.value ?? next);
  return taken.value === undefined ? 1 : 0;
}

function keep({ values }: Reading, name: string, value: string | undefined): void {
  if (value === undefined) return;
  const before = values.get(name);
  if (before === undefined) values.set(name, [value]);
  else before.push(value);
}

function longOption(word: string, next: string | undefined, { reading, withValue }: Reader): number {
  const equals = word.indexOf('=');
  const written = equals === -1 ? word : word.slice(0, equals);
  const name = withValue.includes(written) ? written : (withValue.find((known) => isCutFrom(written, known)) ?? written);
  reading.names.add(name);
  const takesNext = equals === -1 && withValue.includes(name);
  if (equals !== -1) keep(reading, name, word.slice(equals + 1));
  else if (takesNext) keep(reading, name, next);
  return takesNext ? 1 : 0;
}

/** The letter that takes a value, with the rest of the word if that is the value. */
function shortOptions(
  word: string,
  withValue: readonly string[],
  letters: Set<string>,
): { readonly letter: string; readonly value: string | undefined } | null {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] ?? '';
    letters.add(letter);
    if (withValue.includes(letter)) return { letter, value: word.slice(at + 1) || undefined };
  }
  return null;
}
