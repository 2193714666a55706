import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { agentBegun, ended, gatesBegun, opened } from '../../../../test/support/run-events.ts';
import { childStarted, looked } from '../../../../test/support/supervise-journal.ts';
import { superviseSettings } from '../../../../test/support/supervise-spec.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import { openStatusFeed } from '../../../report/console/status-feed.ts';
import type { GateSpec, RunSettings } from '../../../settings/schema/run-settings.ts';
import { superviseScreen } from './supervise-screen.ts';

const gate: GateSpec = { command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 0 };

/** The status line one minute after the epoch; the events are one second apart. */
function statusAfter(bodies: readonly EventBody[], over: Partial<RunSettings> = {}): string | null {
  const feed = openStatusFeed(superviseScreen.status);
  let state: RunState = emptyState;
  for (const event of given(runStarted(superviseSettings({}, over)), ...bodies)) {
    state = evolve(state, event);
    feed.hear(event, state);
  }
  const line = feed.line(60_000);
  return line?.spans.map(({ text }) => text).join('') ?? null;
}

describe('the status line of a supervised run', () => {
  it.each<[string, readonly EventBody[], string | null]>([
    ['the life of its agent', [opened(1), agentBegun(1)], 'attempt 1/100 · scripted works · 57s'],
    ['nothing between two lives', [opened(1), agentBegun(1), ended(1)], null],
    ['the checks of a DONE', [gatesBegun(0, [gate])], '1 check · 58s'],
    ['waiting for children', [childStarted('c'), { type: 'children.awaited', active: ['c'] }], 'waiting for 1 child · 57s'],
    ['waiting for other tasks', [looked({ before: 1, blocked_by: [{ task: 'a', why: 'running' }] })], 'blocked by a'],
  ])('shows %s', (_name, bodies, text) => {
    expect(statusAfter(bodies)).toBe(text);
  });

  it('has no number for the only start of a job', () => {
    expect(statusAfter([opened(1), agentBegun(1)], { recipe: 'job' })).toBe('scripted works · 57s');
  });
});
