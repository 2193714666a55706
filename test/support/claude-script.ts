import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One thing that the scripted claude does; see scripted-claude.mjs. */
export type Step =
  | { readonly init: true }
  | { readonly say: string }
  /** Runs a command and shows it as a tool. */
  | { readonly bash: string }
  /** Starts a command in a session of its own and does not wait for it. */
  | { readonly tool: string }
  | { readonly result: string }
  | { readonly limit: { readonly resetsInMs: number; readonly told: 'by event' | 'by text' } }
  | { readonly print: { readonly text: string; readonly times: number } }
  | { readonly pause: number }
  | { readonly until: string }
  | { readonly exit: number }
  | { readonly stay: true };

/** What it does in one call. After the last step it exits with 0. Asked for text it does the same, and prints only its result, or what it said last. */
export type Turn = readonly Step[];

export const CLAIM = '<response>DONE</response>';

/** A call that opens as every real one does. */
export const turn = (...steps: readonly Step[]): Turn => [{ init: true }, ...steps];

export const bash = (command: string): Step => ({ bash: command });
export const tool = (command: string): Step => ({ tool: command });
export const pause = (ms: number): Step => ({ pause: ms });
export const until = (path: string): Step => ({ until: path });
export const exit = (code: number): Step => ({ exit: code });
export const print = (text: string, times = 1): Step => ({ print: { text, times } });
export const stay: Step = { stay: true };

/** The last message of a turn, which its result repeats. */
export const ends = (text: string): readonly Step[] => [{ say: text }, { result: text }];

/** A usage limit, as a subscriber's claude tells it, then exit 1. */
export const limited = (resetsInMs: number, told: 'by event' | 'by text' = 'by event'): Turn => turn({ limit: { resetsInMs, told } });

const executable = fileURLToPath(new URL('./scripted-claude.mjs', import.meta.url));

/** Makes `<under>/bin` with a `claude` in it that is not the real one. */
export async function scriptedClaudeIn(under: string): Promise<string> {
  const bin = join(under, 'bin');
  await mkdir(bin);
  await symlink(executable, join(bin, 'claude'));
  return bin;
}
