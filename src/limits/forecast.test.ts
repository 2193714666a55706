import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../test/support/given.ts';
import { ended } from '../../test/support/run-events.ts';
import { doneTask } from '../../test/support/work-journal.ts';
import { workSettings } from '../../test/support/work-spec.ts';
import type { WindowUse } from '../journal/events/attempt.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../journal/state/state.ts';
import { forecastOf, forecastText } from './forecast.ts';

/** A task after another, each with what its agent says of its window at the end. All events are a second apart. */
function stateAfter(open: number, ...said: readonly (readonly WindowUse[])[]): RunState {
  const bodies = said.flatMap((windows, index) =>
    doneTask(index + 1, `T-${index + 1}`).map((body): EventBody => {
      if (body.type === 'task.taken') return { ...body, open: open - index };
      return body.type === 'attempt.ended' ? ended(index + 1, { windows: [...windows] }) : body;
    }),
  );
  return given(runStarted(workSettings()), ...bodies).reduce(evolve, emptyState);
}

const used = (share: number, resets_at: number | null = 10_000_000, window = 'five_hour'): readonly WindowUse[] => [{ window, used: share, resets_at }];

describe('the forecast of a run on a plan', () => {
  it('says how many of its tasks fit into what is left of a window, and when that is used up', () => {
    const state = stateAfter(14, used(0.5), used(0.6), used(0.7), used(0.8));
    const forecast = forecastOf(state);
    // 0.1 for each task: 2 more, of the 10 that are open.
    expect(forecast).toMatchObject({ fits: 2, open: 10, window: 'five_hour', used: 0.8 });
    const eachTakesMs = doneTask(1, 'T').length * 1_000;
    expect(forecast?.closesAtMs).toBe((state.windows?.[' five_hour']?.atMs ?? 0) + 2 * eachTakesMs);
    expect(forecast && forecastText(forecast, '03:10')).toBe('2 of 10 tasks before the window closes at 03:10 (five_hour, 80 % used)');
  });

  it.each<[string, RunState]>([
    ['everything fits', stateAfter(6, used(0.1), used(0.2))],
    ['nobody said anything', stateAfter(9, [], [])],
    ['one word tells no pace', stateAfter(9, used(0.9))],
    ['nothing is used', stateAfter(9, used(0.9), used(0.9))],
    ['the window is reset before it is used up', stateAfter(99, used(0.1, 30_000), used(0.2, 30_000))],
    ['a reset has just begun a new window', stateAfter(99, used(0.8), used(0.1, 20_000_000))],
  ])('is silent if %s', (_name, state) => {
    expect(forecastOf(state)).toBeNull();
  });

  it('goes by the window that is used up first', () => {
    const both = (one: number, other: number) => [...used(one), ...used(other, null, 'seven_day')];
    expect(forecastOf(stateAfter(50, both(0.5, 0.9), both(0.55, 0.95)))).toMatchObject({ fits: 1, open: 48, window: 'seven_day' });
  });

  it('does not start anew because of a worker that ended later and heard less', () => {
    expect(forecastOf(stateAfter(50, used(0.5), used(0.7), used(0.6)))).toMatchObject({ fits: 3, used: 0.7 });
  });
});
