import { decide } from '../../src/engine/decide/decide.ts';
import type { AttemptEnded } from '../../src/journal/events/attempt.ts';
import type { GatesJudged } from '../../src/journal/events/gates.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import { evolve } from '../../src/journal/evolve/evolve.ts';
import { emptyState } from '../../src/journal/state/state.ts';
import { loop } from '../../src/recipes/run/run.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';
import { given, runStarted } from './given.ts';
import { loopSettings } from './loop-spec.ts';
import { agentBegun, ended, judged } from './run-events.ts';

export const claim = { by: 'tag', text: 'COMPLETE' } as const;
const plain = loopSettings();
export const { gates } = plain;

export const verdict = (iteration: number, code: number, over: Partial<GatesJudged> = {}): EventBody =>
  judged(
    iteration,
    gates.map((gate) => [gate, code]),
    { tree: 't1', tree_after: 't1', head: 'c0', head_tree: 't0', ...over },
  );
export const spent = (cost_usd: number | null) => ({ input: 1, cache_read: 0, cache_write: 0, output: 1, cost_usd, estimated: false });
export const worked = (iteration: number, over: Partial<AttemptEnded> = {}): EventBody[] => [
  agentBegun(iteration),
  ended(iteration, { spent: spent(0.05), ...over }),
];

function stateAfter(bodies: readonly EventBody[], settings: RunSettings) {
  const started = { ...runStarted(settings), found: { head: 'c0', tree: 't0', problem: null, dirty: [], dirty_count: 0 } };
  return given(started, ...bodies).reduce(evolve, emptyState);
}

/** What the recipe asks for after these events of a loop, one second after the last. */
export function decided(bodies: readonly EventBody[], settings: RunSettings = plain, nowMs = 1_000 * (bodies.length + 2)) {
  return decide(loop, { state: stateAfter(bodies, settings), settings, nowMs });
}
