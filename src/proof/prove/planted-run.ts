import { randomInt } from 'node:crypto';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import type { Plant } from '../canaries/plant.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import type { ProofCopy } from './proof-copy.ts';

/** The part of a copy that planting needs. */
export type LifeCopy = Pick<ProofCopy, 'files' | 'paths' | 'read' | 'write' | 'restore' | 'runPlanted'>;

/** What is asked about a gate. */
export interface Question {
  readonly gate: GateSpec;
  readonly copy: LifeCopy;
  /** What the gate runs. */
  readonly sight: GateSight;
  /** What it ran at the start; null if unknown. */
  readonly before: GateLife | null;
  /** New tests, if some of the old ones are gone: they may have moved, so failures in them must turn the gate red too. */
  readonly moved?: readonly string[];
}

/** One run of the gate with these plants. */
export interface Seen {
  readonly plants: readonly Plant[];
  readonly result: GateResult;
}

export const hasEnded = ({ ending }: GateResult) => ending.kind === 'exited';

/** A longer run is not repeated because of a doubt. */
export const LONG_MS = 20_000;

/** Reverts the copy afterwards. */
export async function runWith(copy: LifeCopy, gate: GateSpec, plants: readonly Plant[], signal: AbortSignal): Promise<GateResult> {
  for (const { path, text } of plants) copy.write(path, text);
  try {
    return await copy.runPlanted(gate, signal);
  } finally {
    await copy.restore(plants.map(({ path }) => path));
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A random word that nothing prints by chance. */
export function token(): string {
  return Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

export const unknown = (command: string, why: string): GateLife => ({ command, state: 'unknown', files: [], why: `${why}: not shown to be alive` });

export const living = (command: string, files: readonly string[], half: readonly string[], tests: number | null): GateLife => ({
  command,
  state: 'living',
  files: [...files],
  half: [...half],
  ...(tests !== null && { tests }),
  why: '',
});

const MOST_NAMED = 3;

export function listed(paths: readonly string[]): string {
  return `${paths.slice(0, MOST_NAMED).join(', ')}${paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''}`;
}
