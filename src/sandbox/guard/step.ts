/** One simple command as it would run: its words are resolved, and each wrapper is a separate step. */
export interface Step {
  /** The base name of the program; empty for assignments or redirections only. It may contain holes. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** `X=1 command`, or `X=1` alone. */
  readonly assigned: readonly Assigned[];
  readonly redirects: readonly Redirected[];
  /** The commands in its own substitutions. */
  readonly printers: readonly string[];
  /** Null when the line gives it no input. */
  readonly input: Stream | null;
  /** The texts of files that this line has written and this command names. */
  readonly named: readonly string[];
  /** The code that it runs; null when it runs none, or an unknown file. */
  readonly code: Code | null;
  /** The working folder; a hole when it is unknown. */
  readonly cwd: string;
  readonly isDetached: boolean;
  readonly isPiped: boolean;
  /** Inside a loop that runs forever. */
  readonly isEndless: boolean;
  /** The words of the command that reads its output, as they are written; empty when there is none. */
  readonly into: readonly string[];
  /** In a script that exists on disk: the guard judges what it does, and does not object to what is unknown in it. */
  readonly isInFile: boolean;
  /** On another machine, or in a container, where paths have another meaning. */
  readonly isElsewhere: boolean;
  readonly part: string;
}

export interface Assigned {
  readonly name: string;
  readonly value: string;
}

export interface Redirected {
  readonly isWrite: boolean;
  readonly target: string;
}

export type Language = 'sh' | 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'awk';

export interface Code {
  readonly language: Language;
  readonly stream: Stream;
  /** argument: the code is in the line. stdin: it is piped. file: it is a script. */
  readonly by: 'argument' | 'stdin' | 'file';
  /** Whether the file existed before: this line has not written it. */
  readonly isOnDisk: boolean;
}

/** What a command prints or reads, as far as the line itself contains it. */
export interface Stream {
  /** Null when it is known only at run time. */
  readonly text: string | null;
  /** download: from the network. decoded: output of a decoder. endless: it never stops by itself. */
  readonly origin: 'plain' | 'download' | 'decoded' | 'endless';
}

/** Longer texts are not followed. */
const MOST_TEXT = 128 * 1024;

export const NOTHING: Stream = { text: '', origin: 'plain' };
export const UNKNOWN: Stream = { text: null, origin: 'plain' };
export const DOWNLOADED: Stream = { text: null, origin: 'download' };

export const textStream = (text: string, origin: Stream['origin'] = 'plain'): Stream => ({ text: text.length > MOST_TEXT ? null : text, origin });

/** The two streams, one after the other. */
export function joined(first: Stream, then: Stream): Stream {
  if (first === NOTHING) return then;
  if (then === NOTHING) return first;
  const origin = first.origin === 'plain' ? then.origin : first.origin;
  return first.text === null || then.text === null ? { text: null, origin } : textStream(first.text + then.text, origin);
}
