import type { Effect } from '../../journal/effects/effect.ts';
import type { OpenIteration, RunState } from '../../journal/state/state.ts';

/** What an event did to the run: some lines tell the difference, and some what was asked for before it came about. */
export interface Change {
  readonly before: RunState;
  readonly state: RunState;
  readonly atMs: number;
}

/** What a fact is the answer to; undefined when nobody heard it begin. */
export function effectBefore<K extends Effect['kind']>({ before }: Change, key: string, kind: K): Extract<Effect, { kind: K }> | undefined {
  return before.inFlight.find((effect): effect is Extract<Effect, { kind: K }> => effect.key === key && effect.kind === kind);
}

export function openIn({ open }: RunState, iteration: number): OpenIteration | undefined {
  return open.find(({ number }) => number === iteration);
}
