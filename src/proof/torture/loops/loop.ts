import { shellQuote } from '../../../kit/pure/shell-words.ts';
import type { Came } from '../figures/case-file.ts';

/** How a loop is called, and how it says that it is done. Data only: a loop is added by a row. */
export interface Loop {
  readonly name: string;
  /** A line for the shell. {bin} is the loop's own program, {prompt}, {gate}, {agent} (a command) and {dir} are the case's; each is quoted. */
  readonly command: string;
  /** Files in the base commit: where its prompt and its gate go. {prompt} and {gate} stand there as they are, {prompt:json} as in JSON. */
  readonly files?: Readonly<Record<string, string>>;
  /** A script that makes ready what a file cannot, after the base commit. */
  readonly before?: string;
  /** Done is exit code 0, and this in its output where its exit code says nothing. */
  readonly done?: RegExp;
  /** Not done, whatever its exit code is. */
  readonly notDone?: RegExp;
  /** Waits for a person. */
  readonly heldExitCode?: number;
  /** The agent's last words. */
  readonly say: string;
  /** Some loops take an agent that answers at once for a broken one. */
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
  // The program may be several words.
  return command.replace(/\{(bin|prompt|gate|agent|dir)\}/g, (_, name: keyof Given) => (name === 'bin' ? given.bin : shellQuote(given[name])));
}

export function filesOf({ files = {} }: Loop, given: Pick<Given, 'prompt' | 'gate'>): Readonly<Record<string, string>> {
  const filled = (text: string) =>
    text.replace(/\{(prompt|gate)(:json)?\}/g, (_, name: 'prompt' | 'gate', json?: string) => (json ? JSON.stringify(given[name]) : given[name]));
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, filled(text)]));
}

interface Ended {
  /** Null: it had to be stopped, or never started. */
  readonly exitCode: number | null;
  readonly output: string;
}

/** What the loop says of the work. One that does not end is neither done nor wrong by itself: it is an error, and counted nowhere. */
export function cameOf({ done, notDone, heldExitCode }: Loop, { exitCode, output }: Ended): Came {
  if (exitCode === null || exitCode === 126 || exitCode === 127) return 'error';
  if (heldExitCode !== undefined && exitCode === heldExitCode) return 'held';
  if (heldExitCode !== undefined && exitCode > 1) return 'error';
  const says = (done?.test(output) ?? true) && !(notDone?.test(output) ?? false);
  return exitCode === 0 && says ? 'done' : 'not-done';
}
