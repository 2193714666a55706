import type { RunAgent } from '../../src/journal/effects/effect.ts';
import type { EventBody } from '../../src/journal/events/journal-event.ts';
import type { StopRefused, StoriesRecorded, StoriesSeen, StoriesSettled } from '../../src/journal/events/stories.ts';
import type { Question } from '../../src/journal/words/claim.ts';
import type { Story, StoryMode, StoryMove, StoryPlan } from '../../src/journal/words/story.ts';
import { agentBegun, closed, ended, opened } from './run-events.ts';
import { storyPlan } from './stories-spec.ts';

/** The events of a run on stories as a journal holds them; say only what differs from a turn that goes well. */
export const seen = (plan: StoryPlan | null, over: Partial<StoriesSeen> = {}): EventBody => ({
  type: 'stories.seen',
  key: 'stories:1',
  plan,
  problem: null,
  changes: [],
  head: 'h0',
  branch: 'ralph/demo',
  tree: 't0',
  dirty: [],
  ...over,
});

export const turnBegun = (iteration: number, mode: StoryMode, story: string): EventBody => ({
  type: 'turn.begun',
  iteration,
  mode,
  story,
  head: 'h0',
  tree: 't0',
});

export const turnAgentBegun = (
  iteration: number,
  mode: StoryMode,
  story: Story,
  over: Partial<RunAgent> & { of?: number; number?: number } = {},
): EventBody => {
  const { of = 1, number = 1, attempt = 1, ...rest } = over;
  const body = agentBegun(iteration, attempt);
  if (body.type !== 'effect.begun' || body.effect.kind !== 'run-agent') throw new Error('That is no agent.');
  const turn = { mode, story, ranges: [], reviewer: { number, of }, feedback: '', answers: [], checks: [] };
  return { ...body, effect: { ...body.effect, role: mode === 'review' ? 'review' : 'work', turn, ...rest } };
};

export const turnSettled = (iteration: number, move: StoryMove | null, over: Partial<StoriesSettled> = {}): EventBody => ({
  type: 'stories.settled',
  key: `settle:${iteration}.${over.attempt ?? 1}`,
  iteration,
  attempt: 1,
  plan: storyPlan(),
  move,
  accepted: [],
  refused: [],
  undone: [],
  kept: null,
  head: 'h1',
  tree: 't1',
  commit: null,
  problem: null,
  ...over,
});

export const recorded = (iteration: number, plan: StoryPlan, over: Partial<StoriesRecorded> = {}): EventBody => ({
  type: 'stories.recorded',
  key: `record:${iteration}.1`,
  iteration,
  plan,
  moved: true,
  at_cap: false,
  weak: false,
  head: 'h1',
  commit: null,
  problem: null,
  ...over,
});

export const asked = (iteration: number, story: string, text: string, kind: Question['kind'] = 'question'): EventBody => ({
  type: 'question.asked',
  iteration,
  story,
  question: { kind, text },
});

export const answered = (answer: string, story: string | null = null): EventBody => ({ type: 'question.answered', story, answer, by: 'ada' });

export const stopRefused = (over: Partial<StopRefused> = {}): EventBody => ({
  type: 'stop.refused',
  session: 's',
  reason: 'Task list validation failed: no',
  blocks: 1,
  let_go: false,
  ...over,
});

export const move = (story: string, to: StoryMove['to'], feedback = ''): StoryMove => ({ story, to, feedback, notes: '', weak: false });

/** A whole turn that ends well: from its opening to its close, with the list it leaves. */
export function turn(
  iteration: number,
  mode: StoryMode,
  { before, after }: { readonly before: Story; readonly after: Story },
  plan = storyPlan(after),
): readonly EventBody[] {
  const to = after.reviewStatus === 'approved' || after.reviewStatus === 'changes_requested' ? after.reviewStatus : 'implemented';
  return [
    seen({ ...plan, userStories: plan.userStories.map((each) => (each.id === after.id ? before : each)) }),
    opened(iteration),
    turnBegun(iteration, mode, after.id),
    turnAgentBegun(iteration, mode, before),
    ended(iteration, { role: mode === 'review' ? 'review' : 'work', duration_ms: 4000 }),
    turnSettled(iteration, move(after.id, to, after.reviewFeedback)),
    recorded(iteration, plan),
    closed(iteration, { result: 'green' }),
  ];
}
