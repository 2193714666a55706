import { decide } from '../../src/engine/decide/decide.ts';
import type { Recipe } from '../../src/engine/decide/recipe.ts';
import type { AttemptEnded } from '../../src/journal/events/attempt.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { TaskSeen } from '../../src/journal/events/task.ts';
import { evolve } from '../../src/journal/evolve/evolve.ts';
import { emptyState } from '../../src/journal/state/state.ts';
import { supervise } from '../../src/recipes/supervise/supervise.ts';
import type { RunSettings, SuperviseSpec } from '../../src/settings/schema/run-settings.ts';
import { given, runStarted } from './given.ts';
import { agentBegun, closed, ended, opened } from './run-events.ts';
import { testSettings } from './run-settings.ts';
import { superviseSpec } from './supervise-spec.ts';

/** Settings of a supervised agent; say only what differs. */
export function superviseSettings(over: Partial<SuperviseSpec> = {}, settings: Partial<RunSettings> = {}): RunSettings {
  return testSettings({
    recipe: 'supervise',
    claims: [],
    gates: [],
    supervise: superviseSpec({ project: 'p', task: 't', folder: '/tasks/p/t', maxRestarts: 3, doneGraceMs: 60_000, ...over }),
    ...settings,
  });
}

let looks = 0;

/** A look at the task folder, begun and over; what it shows is an empty one. */
export function looked(before: number, over: Partial<TaskSeen> = {}): EventBody[] {
  looks += 1;
  const key = `look:test-${looks}`;
  return [
    { type: 'effect.begun', key, effect: { kind: 'look-at-task', key, iteration: 0, attempt: 0, before, after_an_attempt: before === 0, since: null } },
    { type: 'task.seen', key, before, done: { kind: 'absent' }, wait: null, children: [], blocked_by: [], bus_mark: null, ...over },
  ];
}

/** A whole life, from the look before it to the one after it. */
export function life(number: number, over: Partial<AttemptEnded> = {}, after: Partial<TaskSeen> = {}): EventBody[] {
  const failed = over.verdict !== undefined && over.verdict !== 'ok';
  return [
    ...looked(number),
    opened(number),
    agentBegun(number),
    ended(number, over),
    closed(number, { result: failed ? 'failed' : 'green' }),
    ...looked(0, after),
  ];
}

export const crashed: Partial<AttemptEnded> = { verdict: 'failed', why: 'it crashed', ending: { kind: 'exited', code: 1 } };
export const file = { kind: 'file' } as const;

export interface Asked {
  readonly settings?: RunSettings;
  readonly recipe?: Recipe;
  /** How long after the last event. */
  readonly laterMs?: number;
}

/** What the recipe asks for after these events, which are a second apart; a second after the last unless told. */
export function decidedAfter(bodies: readonly EventBody[], { settings = superviseSettings(), recipe = supervise, laterMs = 1_000 }: Asked = {}) {
  const events = given(runStarted(settings), ...bodies);
  return decide(recipe, { state: events.reduce(evolve, emptyState), settings, nowMs: (events.at(-1)?.at ?? 0) + laterMs });
}
