import { describe, expect, it } from 'vitest';
import { formWith, goodForm, type PlayedStories, playStories, rejects, type StoryAct } from '../../../test/support/pretend-stories.ts';
import { story as aStory, storyPlan, storiesSettings as storySettings } from '../../../test/support/stories-spec.ts';
import type { RunAgent } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { Story, StoryPlan } from '../../journal/words/story.ts';

const worldOf = (...stories: readonly Story[]) => ({ text: JSON.stringify({ ...storyPlan(...stories), verifyCommands: ['make test'] }) });
const three = () => worldOf(aStory('US-001'), aStory('US-002', { priority: 2, dependsOn: ['US-001'] }), aStory('US-003', { priority: 3 }));
const planIn = (world: { text: string }) => JSON.parse(world.text) as StoryPlan;
const told = <T extends EventBody['type']>({ events }: PlayedStories, type: T) =>
  events.map(({ body }) => body).filter((body): body is Extract<EventBody, { type: T }> => body.type === type);
const turns = (played: PlayedStories) => told(played, 'turn.begun').map(({ mode, story }) => `${mode} ${story}`);
const agents = ({ events }: PlayedStories) =>
  events.flatMap(({ body }) => (body.type === 'effect.begun' && body.effect.kind === 'run-agent' ? [body.effect] : []));

/** Requests changes in the first review of each story. */
const strict = (): ((effect: RunAgent) => StoryAct) => {
  const seen = new Set<string>();
  return ({ turn }) => {
    if (turn?.mode !== 'review' || seen.has(turn.story.id)) return {};
    seen.add(turn.story.id);
    return rejects();
  };
};

describe('a run on stories', () => {
  it('takes each story through implement, review, fix and second review to approval, one after the other', () => {
    const world = three();
    const played = playStories({ settings: storySettings(), world, act: strict() });
    expect(turns(played)).toEqual(['US-001', 'US-002', 'US-003'].flatMap((id) => [`implement ${id}`, `review ${id}`, `review-fix ${id}`, `review ${id}`]));
    expect(played.outcome).toMatchObject({ stop_reason: 'completed', exit_code: 0, unproven: false, message: 'All 3 stories are approved' });
    expect(planIn(world).userStories).toMatchObject([1, 2, 3].map(() => ({ passes: true, reviewStatus: 'approved', reviewCount: 2 })));
  });

  it('is not done while the list of approved stories cannot be committed', () => {
    const world = worldOf(aStory('US-001'));
    const played = playStories({ settings: storySettings(), world, act: ({ role }) => (role === 'review' ? { uncommitted: 'index.lock exists' } : {}) });
    expect(played.outcome).toMatchObject({
      stop_reason: 'stuck',
      exit_code: 1,
      message: 'Every story is approved, but these files are uncommitted: tasks.json',
    });
    expect(played.state.closed.map(({ result, accepted }) => [result, accepted])).toEqual([
      ['green', false],
      ['green', false],
    ]);
  });

  it('follows the lifecycle of the seed at every step', () => {
    const world = worldOf(aStory('US-001'));
    const seen: unknown[] = [];
    playStories({
      settings: storySettings(),
      world,
      act: (effect, nth) => {
        const { passes, reviewStatus, reviewCount } = planIn(world).userStories[0] ?? aStory('');
        seen.push([passes, reviewStatus, reviewCount]);
        return nth === 2 ? rejects() : strictOff(effect);
      },
    });
    expect(seen).toEqual([
      [false, null, 0],
      [false, 'needs_review', 0],
      [false, 'changes_requested', 1],
      [false, 'needs_review', 1],
    ]);
    expect(planIn(world).userStories[0]).toMatchObject({ passes: true, reviewStatus: 'approved', reviewCount: 2, reviewFeedback: '' });
  });

  it('does not believe an implementer that approves its own story', () => {
    const world = worldOf(aStory('US-001'));
    const cheat: StoryAct = { form: (plan) => formWith(plan, 'US-001', { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'trust me' }) };
    const played = playStories({ settings: storySettings({}, { maximumIterations: 2 }), world, act: () => cheat });
    expect(turns(played)).toEqual(['implement US-001', 'implement US-001']);
    expect(planIn(world).userStories[0]).toMatchObject({ passes: false, reviewStatus: null, reviewCount: 0 });
    expect(agents(played)[1]?.turn?.feedback).toContain('not accepted');
    expect(played.outcome).toMatchObject({ stop_reason: 'max_iterations', exit_code: 1, message: 'Max iterations (2) reached without completion.' });
  });

  it('ends as stuck when a story does not move: the next prompts say what repeats before', () => {
    const world = worldOf(aStory('US-001'));
    const settings = storySettings();
    const limits = { ...settings.limits, stuckAfter: 6 };
    const played = playStories({ settings: { ...settings, limits }, world, act: () => ({ form: (plan) => JSON.stringify(plan) }) });
    expect(turns(played)).toEqual(Array.from({ length: 6 }, () => 'implement US-001'));
    expect(played.outcome).toMatchObject({ stop_reason: 'stuck', exit_code: 1, message: expect.stringContaining('6 iterations') });
    expect(agents(played).map(({ turn }) => turn?.feedback.includes('iterations') ?? false)).toEqual([false, false, false, true, true, true]);
  });

  it('does not end because all stories were deleted', () => {
    const world = worldOf(aStory('US-001'));
    const played = playStories({
      settings: storySettings({}, { maximumIterations: 1 }),
      world,
      act: () => ({ form: (plan) => JSON.stringify({ ...plan, userStories: [] }), ended: { claim: { by: 'promise', text: 'COMPLETE' } } }),
    });
    expect(planIn(world).userStories).toHaveLength(1);
    expect(played.outcome?.stop_reason).toBe('max_iterations');
  });

  it('lets a story advance only when the verify commands are green, and tells the next agent what was red', () => {
    const world = worldOf(aStory('US-001'));
    const played = playStories({ settings: storySettings({}, { maximumIterations: 3 }), world, act: (_, nth) => (nth === 1 ? { gates: 'red' } : {}) });
    expect(turns(played)).toEqual(['implement US-001', 'implement US-001', 'review US-001']);
    expect(agents(played)[1]?.turn?.feedback).toContain('make test');
  });

  it('refuses an approval with red verify commands, and has the story fixed', () => {
    const world = worldOf(aStory('US-001'));
    const played = playStories({ settings: storySettings(), world, act: (_, nth) => (nth === 2 ? { gates: 'red' } : {}) });
    expect(turns(played)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001']);
    expect(played.outcome).toMatchObject({ stop_reason: 'completed' });
    expect(planIn(world).userStories[0]).toMatchObject({ reviewCount: 2 });
  });

  it('approves a story at the cap despite a rejection, and reports it separately', () => {
    const world = worldOf(aStory('US-001'));
    const reject = ({ turn }: RunAgent): StoryAct => (turn?.mode === 'review' ? rejects('Still wrong.') : {});
    const played = playStories({ settings: storySettings({ reviewCap: 2, failOnCap: true }), world, act: reject });
    expect(turns(played)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001']);
    expect(planIn(world).userStories[0]).toMatchObject({ passes: true, reviewFeedback: expect.stringMatching(/^\[AUTO-APPROVED AT CAP\].*Still wrong\./) });
    expect(played.state.stories.atCap).toEqual(['US-001']);
    expect(played.outcome).toMatchObject({ stop_reason: 'completed', exit_code: 1, message: expect.stringContaining('US-001') });
  });

  it('does not approve a red story at the cap', () => {
    const world = worldOf(aStory('US-001'));
    const reject = ({ turn }: RunAgent): StoryAct => (turn?.mode === 'review' ? { ...rejects(), gates: 'red' } : {});
    const played = playStories({ settings: storySettings({ reviewCap: 1 }, { maximumIterations: 4 }), world, act: reject });
    expect(turns(played)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001']);
    expect(planIn(world).userStories[0]).toMatchObject({ passes: false, reviewStatus: 'changes_requested', reviewCount: 1 });
    expect(played.outcome?.stop_reason).toBe('max_iterations');
  });

  it('asks two reviewers that both see the same, and counts them as one review', () => {
    const world = worldOf(aStory('US-001'));
    const played = playStories({
      settings: storySettings({ reviewers: 2 }),
      world,
      act: ({ turn }, nth) => (turn?.mode === 'review' && nth === 3 ? rejects('Not yet.') : {}),
    });
    const [first, second] = agents(played).filter(({ role }) => role === 'review');
    expect(first?.turn?.story).toEqual(second?.turn?.story);
    expect(second?.turn?.reviewer).toEqual({ number: 2, of: 2 });
    expect(turns(played)).toEqual(['implement US-001', 'review US-001', 'review-fix US-001', 'review US-001']);
    expect(planIn(world).userStories[0]).toMatchObject({ passes: true, reviewCount: 2 });
  });

  it('does not count the verdict of a reviewer that changed code, and reviews again', () => {
    const world = worldOf(aStory('US-001'));
    const played = playStories({ settings: storySettings(), world, act: (_, nth) => (nth === 2 ? { undone: ['src/a.ts'] } : {}) });
    expect(turns(played)).toEqual(['implement US-001', 'review US-001', 'review US-001']);
    expect(agents(played)[2]?.turn?.feedback).toContain('src/a.ts');
    expect(planIn(world).userStories[0]).toMatchObject({ passes: true, reviewCount: 1 });
  });

  it('ignores a verdict in the list, whoever wrote it', () => {
    const world = worldOf(aStory('US-001'));
    const forged = (plan: StoryPlan) => formWith(plan, 'US-001', { passes: true, reviewStatus: 'approved', reviewCount: 1 });
    const act = ({ turn }: RunAgent): StoryAct => (turn?.mode === 'review' ? { ...rejects('No test.'), form: forged } : {});
    const played = playStories({ settings: storySettings({}, { maximumIterations: 2 }), world, act });
    expect(planIn(world).userStories[0]).toMatchObject({ passes: false, reviewStatus: 'changes_requested', reviewCount: 1, reviewFeedback: 'No test.' });
    expect(played.outcome?.stop_reason).toBe('max_iterations');
  });

  it('retries a reviewer that gave no verdict, and then leaves the story as it is', () => {
    const world = worldOf(aStory('US-001'));
    const settings = storySettings({}, { maximumIterations: 2 });
    const silent = ({ turn }: RunAgent): StoryAct => (turn?.mode === 'review' ? { said: null, ended: { verdict: 'empty', why: 'no verdict' } } : {});
    const played = playStories({ settings, world, act: silent });
    expect(agents(played).filter(({ role }) => role === 'review')).toHaveLength(settings.limits.repeats);
    expect(planIn(world).userStories[0]).toMatchObject({ passes: false, reviewStatus: 'needs_review', reviewCount: 0 });
  });

  it('reports approvals of reviewers that could run code separately', () => {
    const world = worldOf(aStory('US-001'));
    const weak = { decision: 'approved', feedback: '', notes: '', weak: true } as const;
    const played = playStories({ settings: storySettings(), world, act: () => ({ said: weak }) });
    expect(played.state.stories.weak).toEqual(['US-001']);
    expect(told(played, 'stories.recorded').map((body) => body.weak)).toEqual([undefined, true]);
  });

  it('shows a reviewer the results of the verify commands, and runs them first if this run has not', () => {
    const waiting = aStory('US-001', { reviewStatus: 'needs_review', notes: 'x' });
    const played = playStories({ settings: storySettings(), world: worldOf(waiting, aStory('US-002', { priority: 2 })) });
    expect(turns(played)).toEqual(['review US-001', 'implement US-002', 'review US-002']);
    expect(agents(played).map(({ turn }) => turn?.checks?.map(({ command, green }) => [command, green]))).toEqual([
      [['make test', true]],
      undefined,
      [['make test', true]],
    ]);
    // Before and after the first review, after the work on the second story, and after its review.
    expect(told(played, 'gates.judged')).toHaveLength(4);
  });

  it('gives the reviewer only the commits of its story', () => {
    const played = playStories({ settings: storySettings(), world: three(), act: strict() });
    const ranges = agents(played).map(({ turn }) => turn?.ranges ?? []);
    expect(ranges[0]).toEqual([]);
    expect(ranges[1]).toEqual([{ from: 'c0', to: 'c1.1' }]);
    expect(ranges[3]).toEqual([{ from: 'c0', to: 'c3.1' }]);
  });

  it('retries an empty answer and waits for a usage limit in every mode, without a new iteration', () => {
    const world = worldOf(aStory('US-001'));
    const played = playStories({
      settings: storySettings(),
      world,
      act: (_, nth) => (nth === 1 || nth === 3 ? { ended: { verdict: 'empty', why: 'nothing came' } } : {}),
    });
    expect(turns(played)).toEqual(['implement US-001', 'review US-001']);
    expect(agents(played)).toHaveLength(4);
  });

  it('parks a story that waits for a person, continues with the others, and then waits', () => {
    const world = worldOf(aStory('US-001'), aStory('US-002', { priority: 2 }));
    const ask = ({ turn }: RunAgent): StoryAct =>
      turn?.story.id === 'US-001' && turn.answers.length === 0
        ? { form: (plan) => JSON.stringify(plan), ended: { claim: { by: 'question', text: 'A or B?' } } }
        : {};
    const first = playStories({ settings: storySettings(), world, act: ask });
    expect(turns(first)).toEqual(['implement US-001', 'implement US-002', 'review US-002']);
    expect(first.outcome).toMatchObject({ stop_reason: 'waiting', exit_code: 3, message: 'US-001 needs a decision: A or B?' });

    const past = [
      ...first.events,
      { v: 1, seq: first.events.length + 1, at: 1e6, body: { type: 'question.answered' as const, story: null, answer: 'B', by: 'me' } },
    ];
    const second = playStories({ settings: storySettings(), world, act: ask, past });
    expect(second.outcome).toMatchObject({ stop_reason: 'completed', exit_code: 0 });
    expect(agents(second).at(-2)?.turn?.answers).toEqual([{ question: 'A or B?', answer: 'B' }]);
  });

  it("accepts a person's approval by hand between a stop and a resume", () => {
    const world = worldOf(aStory('US-001'), aStory('US-002', { priority: 2 }));
    const approve = (id: string) => formWith(planIn(world), id, { passes: true, reviewStatus: 'approved', notes: 'by hand' });
    const first = playStories({ settings: storySettings({}, { maximumIterations: 1 }), world });
    world.text = approve('US-001');
    const second = playStories({ settings: storySettings(), world, past: first.events });
    expect(turns(second).slice(1)).toEqual(['implement US-002', 'review US-002']);
    expect(second.outcome?.stop_reason).toBe('completed');
  });

  it('proves a list that is complete from the start before it says so', () => {
    const done = aStory('US-001', { passes: true, reviewStatus: 'approved', reviewCount: 1, notes: 'x' });
    const played = playStories({ settings: storySettings(), world: worldOf(done) });
    expect(told(played, 'gates.judged')).toHaveLength(1);
    expect(played.outcome).toMatchObject({ stop_reason: 'completed', zero_work: true });
  });

  it('passes a story without a review when reviews are off, but never without its gates', () => {
    const world = worldOf(aStory('US-001'));
    const played = playStories({
      settings: storySettings({ skipReview: true }),
      world,
      act: (_, nth) => ({ form: (plan) => formWith(plan, 'US-001', { passes: true, notes: 'Did it.' }), ...(nth === 1 && { gates: 'red' as const }) }),
    });
    expect(turns(played)).toEqual(['implement US-001', 'implement US-001']);
    expect(planIn(world).userStories[0]).toMatchObject({ passes: true, reviewStatus: null, reviewCount: 0 });
    expect(played.outcome).toMatchObject({ stop_reason: 'completed', message: 'The one story passes' });
  });
});

describe('a run on stories that is killed', () => {
  const whole = playStories({ settings: storySettings(), world: three(), act: strict() }).events.length;

  it('ends with the same result, wherever it was killed', () => {
    for (let line = 1; line < whole; line += 1) {
      const world = three();
      const act = strict();
      const { events } = playStories({ settings: storySettings(), world, act, killedAt: line });
      const played = playStories({ settings: storySettings(), world, act, past: events });
      expect(played.outcome, `line ${line}`).toMatchObject({ stop_reason: 'completed', exit_code: 0 });
      expect(planIn(world).userStories.every(({ passes, reviewStatus }) => passes && reviewStatus === 'approved')).toBe(true);
    }
  });

  it('reaches its end, wherever it is told to stop', () => {
    for (const what of ['drain', 'abort'] as const)
      for (let line = 2; line < whole; line += 1) {
        const world = three();
        const news = new Map<number, EventBody>([[line, { type: 'operator.asked', what, by: 'SIGINT' }]]);
        const played = playStories({ settings: storySettings(), world, act: strict(), news });
        expect(['interrupted', 'completed'], `line ${line}`).toContain(played.outcome?.stop_reason);
      }
  });
});

function strictOff(_effect: RunAgent): StoryAct {
  return { form: goodForm };
}
