/**
 * An assertion of a test that is asked, with the value that it compares, whether it would notice another one than it expects. It prints its token
 * if so, and the test goes on as if nobody had asked. A test that its source, or whoever, has made unable to fail prints nothing.
 */
export interface Probe {
  /** What the assertion says, in short: the same in another tree as long as nobody changes it. */
  readonly key: string;
  readonly token: string;
}

export interface Plant {
  readonly path: string;
  /** The whole file with the plants in it. */
  readonly text: string;
  /**
   * What its failures print when they are run: each is assembled at run time, and stands nowhere in the text. First what a throw prints, then what
   * the file's own assertion prints. For a checker that runs nothing it is the base name of the broken file.
   */
  readonly tokens: readonly string[];
  /** How many cases the runner counts more if all of them run: none for a throw outside a case, and none for a checker. */
  readonly cases: number;
  /** Assertions of the file itself that say whether they could still fail. */
  readonly probes?: readonly Probe[];
}

/** A file that is to be planted in. */
export interface Bed {
  readonly path: string;
  readonly text: string;
  readonly runners: readonly string[];
  /** A fresh random word of lower-case letters and digits. */
  readonly token: () => string;
}

/** Null: nothing can be planted here. */
export type Planter = (bed: Bed) => Plant | null;

/** What a planted assertion expects. No token can equal it or share a letter with it, so a diff prints the whole token. */
export const EXPECTED = 'RALPH';

/** A word that is printed only by what puts its halves together: runners print source lines, and the whole word is in none. */
export interface SplitWord {
  readonly whole: string;
  readonly first: string;
  readonly second: string;
}

export function splitWord(word: string): SplitWord {
  const middle = Math.floor(word.length / 2);
  return { whole: word, first: word.slice(0, middle), second: word.slice(middle) };
}

/** Appends lines in the file's own line ends, on a line of their own. */
export function append(text: string, lines: readonly string[]): string {
  const end = lineEndOf(text);
  const start = text === '' || text.endsWith('\n') ? '' : end;
  return text + start + lines.join(end) + end;
}

export const lineEndOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');

export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The text with blanks for its comments, every other character where it was. For languages with the comments of C. */
export const hideComments = (text: string) => text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '));

/** Colours stand within words: diffs colour single letters. */
export const withoutColours = (output: string) => output.replace(COLOURS, '');

const COLOURS = new RegExp(`${'\u001b'}\\[[0-9;]*[A-Za-z]`, 'g');
