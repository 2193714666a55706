import { expect } from 'vitest';
import type { Place } from './place.ts';

export interface Refusal {
  readonly code: number | null;
  readonly error: string;
  readonly hint: string;
}

/** Runs a command that must be refused with one line and a hint, print nothing else except the `--json` result, and change nothing. */
export async function refused(place: Place, args: readonly string[]): Promise<Refusal> {
  const before = place.everything();
  const { code, stdout, stderr } = await place.ralph(args);
  const [, error, hint] = /^error: ([^\n]+)\nhint: ([^\n]+)\n$/.exec(stderr) ?? [];
  if (error === undefined || hint === undefined) throw new Error(`Not one line and a hint:\n${stderr}`);
  if (args.includes('--json')) expect(JSON.parse(stdout)).toEqual({ stop_reason: 'fatal', message: error, exit_code: code, done: false });
  else expect(stdout).toBe('');
  expect(place.everything()).toEqual(before);
  return { code, error, hint };
}
