import { describe, expect, it } from 'vitest';
import { formWith, type PlayedStories, playStories, type StoryAct } from '../../../test/support/pretend-stories.ts';
import { story as aStory, storiesSettings, storyPlan } from '../../../test/support/stories-spec.ts';
import type { RunAgent } from '../../journal/effects/effect.ts';
import type { Story, StoryPlan } from '../../journal/words/story.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { StoriesSpec } from '../../settings/schema/stories-spec.ts';

const proof = { level: 'green' as const, mayChange: [] };
const settings = (spec: Partial<StoriesSpec> = {}, over: Partial<RunSettings> = {}) => storiesSettings(spec, { proof, ...over });
const worldOf = (...stories: readonly Story[]) => ({ text: JSON.stringify({ ...storyPlan(...stories), verifyCommands: ['make test'] }) });
const planIn = (world: { text: string }) => JSON.parse(world.text) as StoryPlan;
const proofs = ({ events }: PlayedStories) => events.flatMap(({ body }) => (body.type === 'effect.begun' && body.effect.kind === 'prove' ? [body.effect] : []));
const turns = ({ events }: PlayedStories) => events.flatMap(({ body }) => (body.type === 'turn.begun' ? [`${body.mode} ${body.story}`] : []));
const changed = [{ path: 'a.test.js', why: 'an existing test changed' }];
const held: StoryAct = { proof: { verdict: 'held', changed, reason: 'Held: green only with a.test.js' } };
const on = (story: string, act: StoryAct) => (effect: RunAgent) => (effect.turn?.story.id === story ? act : {});

describe('an approved story', () => {
  it('is proven once, against the tree before any agent worked on it', () => {
    const played = playStories({ settings: settings(), world: worldOf(aStory('US-001', { mayChange: ['**/*.snap'] })) });
    expect(proofs(played)).toMatchObject([{ iteration: 2, tree: 't', base: 'c0^{tree}', may_change: ['**/*.snap'] }]);
    expect(played.outcome).toMatchObject({ exit_code: 0 });
  });

  it('waits for a person when it is held, while the others continue', () => {
    const world = worldOf(aStory('US-001'), aStory('US-002', { priority: 2 }));
    const played = playStories({ settings: settings(), world, act: on('US-001', held) });
    expect(turns(played)).toEqual(['implement US-001', 'review US-001', 'implement US-002', 'review US-002']);
    expect(planIn(world).userStories).toMatchObject([{ passes: false, reviewCount: 0 }, { passes: true }]);
    const message = expect.stringMatching(/^US-001 is held: green only with a\.test\.js\. Allow it: ralph accept r --task US-001$/);
    expect(played.outcome).toMatchObject({ stop_reason: 'held', exit_code: 3, message });

    const said = { type: 'claim.allowed' as const, iteration: 2, task: 'US-001', paths: ['a.test.js'], by: 'ann' };
    const again = playStories({ settings: settings(), world, past: played.events, news: new Map([[played.events.length + 1, said]]) });
    expect(proofs(again).at(-1)).toMatchObject({ base: 't' });
    expect(again.outcome).toMatchObject({ stop_reason: 'completed', exit_code: 0 });
  });

  it.each(['red', 'dead'] as const)('is sent back with the reason when it is %s', (verdict) => {
    const world = worldOf(aStory('US-001'));
    const act = ({ turn }: RunAgent, nth: number): StoryAct => (turn?.mode === 'review' && nth === 2 ? { proof: { verdict, reason: 'it stays green' } } : {});
    const played = playStories({ settings: settings(), world, act });
    expect(turns(played)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001']);
    const fix = played.events.flatMap(({ body }) => (body.type === 'stories.recorded' ? [body.plan.userStories[0]?.reviewFeedback] : []))[1];
    expect(fix).toContain('it stays green');
    expect(played.outcome).toMatchObject({ exit_code: 0 });
  });

  it('is sent back with one bit and the hint when the sealed checks fail, and needs a person after three of their runs', () => {
    const world = worldOf(aStory('US-001'));
    const sealed = { checks: 2, weak: 0 };
    const refuted = { proof: { verdict: 'sealed' as const, reason: 'The sealed checks are not satisfied', sealed, hint: 'Think of zero.' } };
    const played = playStories({ settings: settings(), world, act: ({ turn }: RunAgent) => (turn?.mode === 'review' ? refuted : {}) });
    expect(proofs(played).map(({ story, sealed_runs }) => [story, sealed_runs])).toEqual([
      ['US-001', undefined],
      ['US-001', 1],
      ['US-001', 2],
    ]);
    expect(planIn(world).userStories[0]).toMatchObject({
      passes: false,
      reviewFeedback: expect.stringMatching(/sealed checks are not satisfied; Think of zero/),
    });
    expect(played.outcome).toMatchObject({ stop_reason: 'sealed_red', exit_code: 3 });
  });

  it('is also proven before it passes when reviews are off', () => {
    const world = worldOf(aStory('US-001'));
    const form = (plan: StoryPlan) => formWith(plan, 'US-001', { passes: true, notes: 'Did it.' });
    const played = playStories({ settings: settings({ skipReview: true }), world, act: () => ({ form, ...held }) });
    expect(proofs(played)).toMatchObject([{ iteration: 1, base: 'c0^{tree}' }]);
    expect(planIn(world).userStories[0]).toMatchObject({ passes: false });
    expect(played.outcome).toMatchObject({ stop_reason: 'held', exit_code: 3 });
  });

  it('keeps its list of allowed changes, whatever its agents write', () => {
    const world = worldOf(aStory('US-001'));
    const form = (plan: StoryPlan) => formWith(plan, 'US-001', { reviewStatus: 'needs_review', notes: 'Did it.', mayChange: ['**'], may_change: ['**'] });
    const played = playStories({ settings: settings(), world, act: ({ turn }) => (turn?.mode === 'implement' ? { form } : {}) });
    const refused = played.events.flatMap(({ body }) => (body.type === 'stories.settled' ? body.refused : []));
    expect(refused[0]).toContain('belongs to the operator');
    expect(proofs(played)[0]).toMatchObject({ may_change: [] });
    expect(world.text).not.toContain('**');
  });
});
