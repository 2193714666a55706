import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { ended, gatesBegun, opened } from '../../../../test/support/run-events.ts';
import { answered, asked, seen, turnAgentBegun, turnBegun } from '../../../../test/support/stories-journal.ts';
import { storiesSettings, story, storyPlan } from '../../../../test/support/stories-spec.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import { openStatusFeed } from '../../../report/console/status-feed.ts';
import type { AgentSpec } from '../../../settings/schema/sandbox-spec.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { storiesScreen } from './stories-screen.ts';

/** The status line one minute after the epoch; the events are one second apart. */
function statusAfter(bodies: readonly EventBody[], spec: Partial<StoriesSpec> = {}): string | null {
  const feed = openStatusFeed(storiesScreen.status);
  let state: RunState = emptyState;
  for (const event of given(runStarted(storiesSettings(spec)), ...bodies)) {
    state = evolve(state, event);
    feed.hear(event, state);
  }
  const line = feed.line(60_000);
  return line?.spans.map(({ text }) => text).join('') ?? null;
}

const one = story('US-001');
const begun = (mode: 'implement' | 'review' | 'review-fix') => [seen(storyPlan(one)), opened(1), turnBegun(1, mode, 'US-001'), turnAgentBegun(1, mode, one)];
const reviewAgent: AgentSpec = { kind: 'codex', command: 'codex', flags: [], model: null, autonomy: 'full' };

describe('the status line of a run on stories', () => {
  it.each<[string, readonly EventBody[], string | null]>([
    ['its implementer', begun('implement'), 'iteration 1/15 · scripted implements US-001 · 55s'],
    ['its reviewer', begun('review'), 'iteration 1/15 · codex reviews US-001 · 55s'],
    ['who mends', begun('review-fix'), 'iteration 1/15 · scripted fixes US-001 · 55s'],
    ['checks', [...begun('implement'), ended(1), gatesBegun(1, [])], 'iteration 1/15 · 0 checks · 53s'],
    ['a question', [seen(storyPlan(one)), asked(1, 'US-001', 'Oak?')], 'waiting for an answer about US-001: Oak?'],
    ['nothing once that is answered', [seen(storyPlan(one)), asked(1, 'US-001', 'Oak?'), answered('yes')], null],
    ['a list in the middle of an edit', [seen(null, { problem: 'is no JSON' })], 'looking again at the stories: is no JSON'],
  ])('shows %s', (_name, bodies, text) => {
    expect(statusAfter(bodies, { reviewAgent })).toBe(text);
  });
});
