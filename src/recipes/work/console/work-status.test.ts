import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { ended, gatesBegun } from '../../../../test/support/run-events.ts';
import { begun, exited, mergeBegun, none } from '../../../../test/support/work-journal.ts';
import { workSettings } from '../../../../test/support/work-spec.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import { openStatusFeed } from '../../../report/console/status-feed.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { workScreen } from './work-screen.ts';

/** The status line one minute after the epoch; the events are one second apart. */
function statusAfter(bodies: readonly EventBody[], over: Partial<RunSettings> = {}): string | null {
  const feed = openStatusFeed(workScreen.status);
  let state: RunState = emptyState;
  for (const event of given(runStarted(workSettings({}, over)), ...bodies)) {
    state = evolve(state, event);
    feed.hear(event, state);
  }
  return (
    feed
      .line(60_000)
      ?.spans.map(({ text }) => text)
      .join('') ?? null
  );
}

const limited = { ...exited(1), verdict: 'limited' } as const;

describe('the status line of a run on a plan', () => {
  it.each<[string, readonly EventBody[], string | null]>([
    ['its agent', begun(1, 'T-1'), '[1] T-1 · scripted works · 57s'],
    ['a merge', [...begun(1, 'T-1'), ended(1), mergeBegun(1)], '[1] T-1 · merging into main · 57s'],
    ['checks', [...begun(1, 'T-1'), ended(1), gatesBegun(1, [])], '[1] T-1 · checking · 57s'],
    ['a usage limit', [...begun(1, 'T-1'), ended(1, limited)], '[1] T-1 · rate limited · 57s · usage limit, 6s left'],
    ['nothing', [none()], null],
    ['the work of others', [none({ held: true, detail: 'T-1 is held by x' })], 'no task is ready yet: T-1 is held by x'],
    ['a plan in the middle of an edit', [{ type: 'plan.troubled', key: 'k', why: 'no' }], 'looking again at the plan: no'],
    ['a pause', [{ type: 'operator.asked', what: 'pause', by: 'x' }], 'paused'],
  ])('shows %s', (_name, bodies, text) => {
    expect(statusAfter(bodies)).toBe(text);
  });

  it('shows all workers at once, in order', () => {
    const lanes = [...begun(1, 'T-2', { lane: 2 }), ...begun(2, 'T-1', { lane: 1 }), ended(1), mergeBegun(1)];
    expect(statusAfter(lanes, { lanes: 4 })).toBe('w1 T-1 53s · w2 T-2 merging into main 57s');
  });
});
