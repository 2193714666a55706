import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { agentBegun, ended, gatesBegun, judged, opened } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { GateSpec, RunSettings } from '../../settings/schema/run-settings.ts';
import { plainStatus } from './recipe-screen.ts';
import { openStatusFeed, type StatusFeed } from './status-feed.ts';

const gate: GateSpec = { command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 0 };
const spent = { input: 1, cache_read: 0, cache_write: 0, output: 1, cost_usd: 0.5, estimated: false };

/** The feed after these events: the first one second after the epoch, the others one second apart. */
function heard(bodies: readonly EventBody[], over: Partial<RunSettings> = {}): StatusFeed {
  const feed = openStatusFeed(plainStatus);
  let state: RunState = emptyState;
  for (const event of given(runStarted(testSettings(over)), ...bodies)) {
    state = evolve(state, event);
    feed.hear(event, state);
  }
  return feed;
}

const textOf = (feed: StatusFeed, nowMs: number) =>
  feed
    .line(nowMs)
    ?.spans.map(({ text }) => text)
    .join('') ?? null;

describe('the status line of a loop', () => {
  it.each<[string, readonly EventBody[], string | null]>([
    ['nothing before the first iteration', [], null],
    ['its agent, and for how long', [opened(1), agentBegun(1)], 'iteration 1/5 · scripted works · 1m2s'],
    ['its gates', [opened(1), agentBegun(1), ended(1, { spent }), gatesBegun(1, [gate])], 'iteration 1/5 · 1 check · 1m · $0.5000 so far'],
    ['nothing between two of them', [opened(1), agentBegun(1), ended(1)], null],
    ['nothing when it is over', [opened(1), agentBegun(1), { type: 'run.stopped', outcome: notDone('timeout', 'Over.') }], null],
  ])('shows %s', (_name, bodies, text) => {
    expect(textOf(heard(bodies), 65_000)).toBe(text);
  });

  it('shows the running gate, by the name of the command line option', () => {
    const feed = heard([opened(1), agentBegun(1), ended(1), gatesBegun(1, [gate])], { recipe: 'loop', maximumIterations: 0 });
    feed.hearProgress({ type: 'gate.started', attempt: '1.1', gate }, 10_000);
    expect(textOf(feed, 12_000)).toBe('iteration 1 · check make test · 2s');
    const fact = judged(1, [[gate, 0]]);
    const [result] = fact.type === 'gates.judged' ? fact.results : [];
    if (result) feed.hearProgress({ type: 'gate.ended', attempt: '1.1', result }, 12_000);
    expect(textOf(feed, 12_000)).toBe('iteration 1 · 1 check · 7s');
  });

  it('shows a wait for a usage limit', () => {
    const feed = heard([opened(1), agentBegun(1), ended(1, { verdict: 'limited', limit_resets_at: 100_000 })]);
    expect(textOf(feed, 40_000)).toMatch(/^waiting for the usage limit · \d.* left$/);
  });
});
