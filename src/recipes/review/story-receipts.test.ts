import { describe, expect, it } from 'vitest';
import { formWith, type PlayedStories, playStories, rejects, type StoryAct } from '../../../test/support/pretend-stories.ts';
import { story as aStory, storiesSettings, storyPlan } from '../../../test/support/stories-spec.ts';
import type { RunAgent } from '../../journal/effects/effect.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { storyWithoutReceipt } from '../../plans/review/next-turn.ts';

const proof = { level: 'living' as const, mayChange: ['**/*.snap'] };
const gates = [{ command: 'npm test', failAction: 'APPEND' as const, hint: null, timeoutMs: 0 }];
const settings = storiesSettings({}, { proof, gates });
const worldOf = (...stories: readonly Story[]) => ({ text: JSON.stringify(storyPlan(...stories)) });
const two = () => worldOf(aStory('US-001', { mayChange: ['test/**'] }), aStory('US-002', { priority: 2 }));
const receiptsIn = ({ events }: Pick<PlayedStories, 'events'>) =>
  events.flatMap(({ body }) => (body.type === 'effect.begun' && body.effect.kind === 'write-receipt' ? [body.effect.receipt] : []));
const written = (events: readonly JournalEvent[]) => events.flatMap(({ body }) => (body.type === 'receipt.written' ? [body.task] : []));
const costs = (usd: number) => ({ spent: { input: 1, cache_read: 0, cache_write: 0, output: 1, cost_usd: usd, estimated: false } });
const deciders = { count: 2, sha256: 'now', base_sha256: 'then' };

describe('a story that has passed', () => {
  it('has a receipt, with what was proven by what, on which commit', () => {
    const living = [{ command: 'npm test', state: 'living' as const, files: ['a.test.js'], why: '' }];
    const played = playStories({ settings, world: two(), act: () => ({ proof: { level: 'living', gates: living, deciders } }) });
    expect(receiptsIn(played)).toMatchObject([
      {
        ...{ task: aStory('US-001').title, commit: 'c2', tree: 't2', checks: [{ command: 'npm test', exit_code: 0 }], iterations: 2 },
        story: { id: 'US-001', plan: settings.stories?.plan, branch: 'ralph/demo', base: 'c0^{tree}', judged_tree: 't', may_change: ['**/*.snap', 'test/**'] },
        proof: { level: 'living', deciders, checks: [{ state: 'living', files: ['a.test.js'] }], allowed_by: null },
      },
      { commit: 'c4', tree: 't4', story: { id: 'US-002', may_change: ['**/*.snap'] } },
    ]);
    expect(played.state.stories.receipts).toEqual({ count: 2, folder: '/run/receipts', unsigned: null });
  });

  it('is charged with all its turns, and with those of no other story', () => {
    const act = ({ turn }: RunAgent, nth: number): StoryAct => ({ ...(nth === 2 && rejects()), ended: costs(turn?.story.id === 'US-001' ? 0.25 : 1) });
    const played = playStories({ settings, world: two(), act });
    expect(receiptsIn(played).map(({ story, iterations, cost_usd }) => [story?.id, iterations, cost_usd])).toEqual([
      ['US-001', 4, 1],
      ['US-002', 2, 2],
    ]);
    expect(played.state.stories.tried).toEqual([]);
  });

  it('names who allowed changes of its deciders, and when', () => {
    const world = worldOf(aStory('US-001'));
    const changed = [{ path: 'a.test.js', why: 'an existing test changed' }];
    const held = playStories({ settings, world, act: () => ({ proof: { verdict: 'held', changed, reason: 'Held: green only with a.test.js' } }) });
    expect(receiptsIn(held)).toEqual([]);
    const said = { type: 'claim.allowed' as const, iteration: 2, task: 'US-001', paths: ['a.test.js'], by: 'ann' };
    const again = playStories({ settings, world, past: held.events, news: new Map([[held.events.length + 1, said]]) });
    expect(receiptsIn(again)).toMatchObject([{ story: { base: 't' }, proof: { allowed_by: 'ann', allowed_at: expect.any(Number) as number, changed } }]);
  });

  it('has a receipt too when reviews are off', () => {
    const form = (plan: StoryPlan) => formWith(plan, 'US-001', { passes: true, notes: 'Did it.' });
    const off = storiesSettings({ skipReview: true }, { proof, gates });
    expect(receiptsIn(playStories({ settings: off, world: worldOf(aStory('US-001')), act: () => ({ form }) }))).toMatchObject([
      { commit: 'c1', iterations: 1 },
    ]);
  });

  it('has no receipt without any check, because a review cannot be repeated', () => {
    const played = playStories({ settings: storiesSettings({}, { gates: [] }), world: two() });
    expect(played.outcome).toMatchObject({ exit_code: 0 });
    expect(receiptsIn(played)).toEqual([]);
  });

  it('has exactly one receipt, wherever the loop is killed and resumed', () => {
    const one = () => worldOf(aStory('US-001'));
    const whole = playStories({ settings, world: one() });
    for (let killedAt = 1; killedAt < whole.events.length; killedAt += 1) {
      const world = one();
      const killed = playStories({ settings, world, killedAt });
      const { events, outcome } = playStories({ settings, world, past: killed.events });
      expect([killedAt, outcome?.exit_code, written(events)]).toEqual([killedAt, 0, ['US-001']]);
    }
  });

  it('is known to have no receipt yet between its record and its receipt, and never in older journals', () => {
    const { events } = playStories({ settings, world: two() });
    const stateAt = (type: string, past: readonly JournalEvent[]) =>
      past.slice(0, past.findLastIndex(({ body }) => body.type === type) + 1).reduce(evolve, emptyState);
    const missing = (type: string, past = events) => {
      const state = stateAt(type, past);
      return state.open.flatMap((iteration) => storyWithoutReceipt(iteration, state)?.story.id ?? []);
    };
    expect([missing('proof.judged'), missing('stories.recorded'), missing('receipt.written')]).toEqual([[], ['US-002'], []]);
    const older = events.map((event): JournalEvent => {
      if (event.body.type !== 'stories.recorded') return event;
      const { tree: _, ...body } = event.body;
      return { ...event, body };
    });
    expect(missing('stories.recorded', older)).toEqual([]);
  });
});
