import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { loopSettings } from '../../../test/support/loop-spec.ts';
import { closed, ended, judged, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { Effect } from '../effects/effect.ts';
import type { EventBody } from '../events/journal-event.ts';
import { emptyState } from '../state/state.ts';
import { evolve } from './evolve.ts';

const stateAfter = (...bodies: readonly EventBody[]) => given(runStarted(testSettings()), ...bodies).reduce(evolve, emptyState);
const asked = (what: 'drain' | 'abort', by: string): EventBody => ({ type: 'operator.asked', what, by });

describe("the operator's request", () => {
  it('grows from a drain to an abort, and keeps the name of who asked first', () => {
    expect(stateAfter(asked('drain', 'SIGINT'), asked('abort', 'SIGTERM')).leaving).toEqual({ what: 'abort', by: 'SIGINT' });
  });

  it('never goes back from an abort to a drain', () => {
    expect(stateAfter(asked('abort', 'caller'), asked('drain', 'SIGINT')).leaving).toEqual({ what: 'abort', by: 'caller' });
  });
});

it('a merge is in flight until it is judged, also when what it is proven by is known', () => {
  const merging = { kind: 'merge', key: 'merge:1.1', iteration: 1, attempt: 1 } as Extract<Effect, { kind: 'merge' }>;
  const proven: EventBody = { type: 'merge.proven', key: merging.key, iteration: 1, onto: 'b0', tree: 't1', results: [] };
  const state = given(runStarted(workSettings()), { type: 'effect.begun', key: merging.key, effect: merging }, proven).reduce(evolve, emptyState);
  expect(state.inFlight).toEqual([merging]);
});

it.each(['run', 'loop'] as const)('a red check tells the agent of a ralph %s its hint', (recipe) => {
  const gate = { command: 'make lint', failAction: 'APPEND', hint: 'Mend the cause.', timeoutMs: 0 } as const;
  const start = runStarted(recipe === 'run' ? testSettings() : loopSettings());
  const { open } = given(start, opened(1), ended(1), judged(1, [[gate, 1]])).reduce(evolve, emptyState);
  expect(open[0]?.judged?.failures).toMatchObject([{ check: 'make lint', message: expect.stringContaining('Hint: Mend the cause.') }]);
});

describe('a usage limit of one worker', () => {
  const limited = (atMs: number) => ended(1, { verdict: 'limited', limit_resets_at: atMs, limit_window: 'five_hour' });

  it('is not cleared by an agent that was begun before it', () => {
    const { limit } = stateAfter(limited(60_000), ended(2), ended(3, { verdict: 'failed', why: 'it crashed' }));
    expect(limit).toMatchObject({ strikes: 1, window: 'five_hour', untilMs: 61_000 });
  });

  it('is cleared by one that ends after its wait', () => {
    expect(stateAfter(limited(3_500), ended(2), ended(3)).limit).toMatchObject({ strikes: 1, untilMs: 4_500 });
    expect(stateAfter(limited(3_500), ended(2), ended(3), ended(4)).limit).toMatchObject({ strikes: 0, untilMs: 0 });
  });
});

describe('agents that all fail at once', () => {
  const killed = (iteration: number) => ended(iteration, { verdict: 'failed', why: 'exit 137', at_once: true, cause: { class: 'passing', kind: 'crash' } });
  const wave = (first: number): readonly EventBody[] => [
    ...[0, 1, 2, 3].map((lane) => opened(first + lane, lane + 1)),
    ...[0, 1, 2, 3].map((lane) => killed(first + lane)),
  ];
  const over = (first: number) => [0, 1, 2, 3].map((lane) => closed(first + lane, { result: 'failed' }));

  it('are one failure, not one for each worker: the machine had no memory left', () => {
    expect(stateAfter(...wave(1), ...over(1), ...wave(5)).fatal).toBeNull();
    expect(stateAfter(...wave(1), ...over(1), ...wave(5), ...over(5), ...wave(9)).fatal).toMatchObject({ exitCode: 4 });
  });
});

describe('a lost effect', () => {
  it('removes the agent it had spawned from the state, and no other', () => {
    const begun = (attempt: number): EventBody => {
      const key = `run-agent 1.${attempt}`;
      return {
        type: 'effect.begun',
        key,
        effect: {
          kind: 'run-agent',
          key,
          iteration: 1,
          attempt,
          role: 'work',
          prompt: null,
          about: '',
          failures: [],
          maximum: 5,
          context: null,
          previous_life: null,
          until: null,
          budget_usd: null,
        },
      };
    };
    const spawned = (attempt: string): EventBody => ({
      type: 'attempt.spawned',
      attempt,
      host: 'h',
      boot_id: 'b',
      pid: 7,
      start_time: '1',
      command: [],
      prompt_head: '',
    });
    const state = stateAfter(begun(1), spawned('1.1'), begun(2), spawned('1.2'), { type: 'effect.lost', key: 'run-agent 1.1' });
    expect(state.inFlight.map(({ key }) => key)).toEqual(['run-agent 1.2']);
    expect(state.spawned.map(({ attempt }) => attempt)).toEqual(['1.2']);
  });
});
