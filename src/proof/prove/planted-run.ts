import { randomInt } from 'node:crypto';
import type { GateResult } from '../../journal/events/gates.ts';
import type { GateLife } from '../../journal/words/proof.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import type { Bed, Plant } from '../canaries/plant.ts';
import { probesAlone } from '../canaries/plants-for.ts';
import { probesShown } from '../canaries/shown-in.ts';
import type { GateSight } from '../deciders/look-at-gate.ts';
import type { ProofCopy } from './proof-copy.ts';

/** The part of a copy that planting needs. */
export type LifeCopy = Pick<ProofCopy, 'files' | 'paths' | 'read' | 'write' | 'restore' | 'apply' | 'runPlanted'>;

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
  /** Absent at the start of a run. At a claim: what the start has shown of the gate, whatever that is; null if nothing. */
  readonly claim?: { readonly start: GateLife | null };
}

/** One run of the gate with these plants. */
export interface Seen {
  readonly plants: readonly Plant[];
  readonly result: GateResult;
  /** The same was planted before, and the gate was not red. */
  readonly isSecond?: true;
}

export const hasEnded = ({ ending }: GateResult) => ending.kind === 'exited';

/** A longer run is not repeated because of a doubt. */
export const LONG_MS = 20_000;

/** Reverts the copy afterwards. */
export async function runWith(copy: LifeCopy, gate: GateSpec, plants: readonly Plant[], signal: AbortSignal): Promise<GateResult> {
  const moved = plants.filter(({ at }) => at !== undefined);
  if (moved.length > 0) await copy.apply(moved.map(({ path }) => ({ path, to: 'nothing' })));
  for (const { path, at = path, text } of plants) copy.write(at, text);
  try {
    return await copy.runPlanted(gate, signal);
  } finally {
    await copy.restore([...new Set(plants.flatMap(({ path, at = path }) => [path, at]))]);
  }
}

/** A flaky gate is no dead gate: before anybody is blamed, the same is planted once more. */
export async function replanted({ gate, copy }: Question, { plants }: Seen, signal: AbortSignal): Promise<Seen> {
  return { plants, result: await runWith(copy, gate, plants, signal), isSecond: true };
}

/** What was seen, unless the gate was not red: then what is seen the second time. */
export async function unlessFlaky(question: Question, seen: Seen, signal: AbortSignal): Promise<Seen> {
  return signal.aborted || (hasEnded(seen.result) && !seen.result.green) ? seen : await replanted(question, seen, signal);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A random word that nothing prints by chance. */
export function token(): string {
  return Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** `todo`: what a person can do about it. */
export const unknown = (command: string, why: string, todo?: string): GateLife => ({
  ...{ command, state: 'unknown', files: [] },
  why: `${why}: not shown to be alive${todo === undefined ? '' : ` (${todo})`}`,
});

export const living = (command: string, files: readonly string[], half: readonly string[], tests: number | null): GateLife => ({
  command,
  state: 'living',
  files: [...files],
  half: [...half],
  ...(tests !== null && { tests }),
  why: '',
});

export const dead = (command: string, why: string): GateLife => ({ command, state: 'dead', files: [], why });

export const HUNG = 'did not end by itself with failures planted';
export const MORE_TIME = 'give it more time with --check-timeout, or "canary": false in its settings';

/** Without planted failures it has just ended. So it is dead, unless it hung in the same way before any agent began: a cheat may hang to hide that it is green. */
export function hung({ gate: { command }, claim }: Question, plants: readonly Plant[]): GateLife {
  const known = unknown(command, HUNG, MORE_TIME);
  return claim?.start?.why === known.why ? known : dead(command, `does not end by itself with failures planted in ${listed(plants.map(({ path }) => path))}`);
}

const MOST_NAMED = 3;

export function listed(paths: readonly string[]): string {
  return `${paths.slice(0, MOST_NAMED).join(', ')}${paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''}`;
}

const MOST_OWN = 2_000;
export const withOwn = (life: GateLife, own: readonly string[]): GateLife => (own.length === 0 ? life : { ...life, own: own.slice(0, MOST_OWN) });

/** The assertions that report that they could fail. A planted throw may end a home-made runner before it runs its specs, so it runs again without one. */
export async function askedIn(question: Question, { plants, result }: Seen, signal: AbortSignal): Promise<readonly string[]> {
  const shown = probesShown(result.output, plants);
  if (question.sight.specs.length === 0 || result.duration_ms > LONG_MS || signal.aborted) return shown;
  return [...new Set([...shown, ...(await askAlone(question, plants, signal))])];
}

async function askAlone({ gate, copy, sight }: Question, plants: readonly Plant[], signal: AbortSignal): Promise<readonly string[]> {
  const beds: Bed[] = [];
  for (const { path, probes = [] } of plants) {
    const text = probes.length === 0 ? null : await copy.read(path);
    if (text !== null) beds.push({ path, text, runners: sight.runners, token });
  }
  const asking = probesAlone(beds);
  return asking.length === 0 ? [] : probesShown((await runWith(copy, gate, asking, signal)).output, asking);
}

/** An assertion that could fail at the start must still be able to fail, unless it is gone. It is probed again before anybody is blamed. */
export async function unlessBent(life: GateLife, question: Question, seen: Seen, signal: AbortSignal): Promise<GateLife> {
  const wanted = new Set(question.before?.own ?? []);
  const there = seen.plants.flatMap(({ path, probes = [] }) => probes.map(({ key }) => `${path}:${key}`)).filter((each) => wanted.has(each));
  if (there.length === 0) return life;
  const shown = new Set(await askedIn(question, seen, signal));
  if (signal.aborted) return life;
  const again = there.every((each) => shown.has(each)) ? [] : await askAlone(question, seen.plants, signal);
  for (const each of again) shown.add(each);
  const bent = [...new Set(there.filter((each) => !shown.has(each)).map((each) => each.slice(0, each.lastIndexOf(':'))))];
  return withOwn(bent.length === 0 || signal.aborted ? life : { ...life, bent }, [...shown]);
}
