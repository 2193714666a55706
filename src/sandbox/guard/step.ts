import type { Stream } from './shell/stream.ts';

/** One simple command as it would be run: words resolved, wrappers taken off, each wrapper being a step of its own. */
export interface Step {
  /** The last name of the program; empty: only assignments or redirections. It may have holes. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** `X=1 command`, or `X=1` alone. */
  readonly assigned: readonly Assigned[];
  readonly redirects: readonly Redirected[];
  /** The commands in its own substitutions. */
  readonly printers: readonly string[];
  /** Null: nothing is given to it in this line. */
  readonly input: Stream | null;
  /** The texts of files that this line has written and this command names. */
  readonly named: readonly string[];
  /** What is run as code; null: nothing, or a file nobody here knows. */
  readonly code: Code | null;
  /** Where it runs; a hole where that is not known. */
  readonly cwd: string;
  readonly isDetached: boolean;
  readonly isPiped: boolean;
  /** In a loop that goes on for ever. */
  readonly isEndless: boolean;
  /** The words of the command its output goes to, as they are written; empty: none. */
  readonly into: readonly string[];
  /** In a script that lies on the disk: it is judged by what it does, not by what cannot be known of it. */
  readonly isInFile: boolean;
  /** On another machine, or in a container: paths are not ours. */
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
  /** argument: it stands in the line. stdin: it is piped. file: it is a script. */
  readonly by: 'argument' | 'stdin' | 'file';
  /** It lies there already: this line has not written it. */
  readonly isOnDisk: boolean;
}
