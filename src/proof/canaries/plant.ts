/**
 * An assertion of a test that is asked, with the value that it compares, whether it would notice a value other than the expected one. If so, it prints its
 * token, and the test continues as if it had not been asked. A test that cannot fail, whatever the reason, prints nothing.
 */
export interface Probe {
  /** A digest of the assertion: the same in another tree as long as nobody changes it. */
  readonly key: string;
  readonly token: string;
}

export interface Plant {
  readonly path: string;
  /** The whole file, including the plants. */
  readonly text: string;
  /**
   * What its failures print when they run. Each token is assembled at run time, so the text does not contain it. First comes the token of a throw, then that
   * of the file's own assertion. For a checker that runs nothing it is the base name of the broken file.
   */
  readonly tokens: readonly string[];
  /** By how many cases the runner's count grows if all of them run: none for a throw outside a case, and none for a checker. */
  readonly cases: number;
  /** Assertions of the file itself that report whether they could still fail. */
  readonly probes?: readonly Probe[];
  /** It is a source that a checker must reject, and no test. */
  readonly isSource?: true;
  /** Its tests have other names and lines than in the tree. */
  readonly isRenamed?: true;
  /** The path to which it is written instead of its own. */
  readonly at?: string;
}

/** A file to plant failures in. */
export interface Bed {
  readonly path: string;
  readonly text: string;
  readonly runners: readonly string[];
  /** A fresh random word of lower-case letters and digits. */
  readonly token: () => string;
}

/** Null if nothing can be planted here. */
export type Planter = (bed: Bed) => Plant | null;

/** What a planted assertion expects. It shares no letter with any token, so a diff prints the whole token. */
export const EXPECTED = 'RALPH';

/** A word in two halves, which only code that joins them can print: runners print source lines, and no line contains the whole word. */
export interface SplitWord {
  readonly whole: string;
  readonly first: string;
  readonly second: string;
}

export function splitWord(word: string): SplitWord {
  const middle = Math.floor(word.length / 2);
  return { whole: word, first: word.slice(0, middle), second: word.slice(middle) };
}

/** Appends lines with the file's own line ends, starting on a new line. */
export function append(text: string, lines: readonly string[]): string {
  const end = lineEndOf(text);
  const start = text === '' || text.endsWith('\n') ? '' : end;
  return text + start + lines.join(end) + end;
}

export const lineEndOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n');

export const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The text with blanks for its comments, so that all positions stay. For languages with the comments of C. */
export const hideComments = (text: string) => text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '));

/** Removes colours, also within words: diffs colour single letters. */
export const withoutColours = (output: string) => output.replace(COLOURS, '');

const COLOURS = new RegExp(`${'\u001b'}\\[[0-9;]*[A-Za-z]`, 'g');

/** Eight hexadecimal digits of a hash: enough to tell the probes of a file apart. It keeps nothing secret. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
