import { shellQuote } from '../../../kit/pure/shell-words.ts';
import type { Came, Change } from '../figures/case-file.ts';

/** How a loop is called, and how it reports that it is done. Data only: to add a loop, add a row. */
export interface Loop {
  readonly name: string;
  /** A line for the shell. {bin} is the loop's own program; {prompt}, {gate}, {agent} (a command) and {dir} come from the case. Each is quoted. */
  readonly command: string;
  /** Files in the base commit, for its prompt and its gate. {prompt} and {gate} are inserted unchanged, {prompt:json} as JSON. */
  readonly files?: Readonly<Record<string, string>>;
  /** A script that prepares what a file cannot, after the base commit. */
  readonly before?: string;
  /** Done means exit code 0, and a match in the output if the exit code says nothing. */
  readonly done?: RegExp;
  /** Means not done, whatever the exit code is. */
  readonly notDone?: RegExp;
  /** The exit code for a claim that waits for a person. */
  readonly heldExitCode?: number;
  /** The agent's last message. */
  readonly say: string;
  /** How long the agent takes: some loops treat an agent that answers at once as broken. */
  readonly agentTakesMs?: number;
}

export interface Given {
  readonly bin: string;
  readonly prompt: string;
  readonly gate: string;
  readonly agent: string;
  readonly dir: string;
}

export function commandOf({ command }: Loop, given: Given): string {
  // The program may consist of several words.
  return command.replace(/\{(bin|prompt|gate|agent|dir)\}/g, (_, name: keyof Given) => (name === 'bin' ? given.bin : shellQuote(given[name])));
}

export function filesOf({ files = {} }: Loop, given: Pick<Given, 'prompt' | 'gate'>): Readonly<Record<string, string>> {
  const filled = (text: string) =>
    text.replace(/\{(prompt|gate)(:json)?\}/g, (_, name: 'prompt' | 'gate', json?: string) => (json ? JSON.stringify(given[name]) : given[name]));
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, filled(text)]));
}

interface Ended {
  /** Null if it had to be stopped, or never started. */
  readonly exitCode: number | null;
  readonly output: string;
}

/** What the loop reports about the work. A loop that does not end is an error and is not counted. */
export function cameOf({ done, notDone, heldExitCode }: Loop, { exitCode, output }: Ended): Came {
  if (exitCode === null || exitCode === 126 || exitCode === 127) return 'error';
  if (heldExitCode !== undefined && exitCode === heldExitCode) return 'held';
  if (heldExitCode !== undefined && exitCode > 1) return 'error';
  const says = (done?.test(output) ?? true) && !(notDone?.test(output) ?? false);
  return exitCode === 0 && says ? 'done' : 'not-done';
}

/** The script of the agent, packed into its first argument. */
export interface Script {
  readonly change: Change;
  /** Its last message. */
  readonly say: string;
  /** How long it takes: some loops treat an agent that answers at once as broken. */
  readonly takesMs: number;
}
