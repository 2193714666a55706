import { proofOf } from '../../journal/evolve/iterations.ts';
import type { OpenIteration, Proof, RunState } from '../../journal/state/state.ts';
import { type RecordedTurn, storyOfTurn } from '../../journal/state/stories-state.ts';
import type { Story, StoryMode, StoryPlan } from '../../journal/words/story.ts';
import { skipsReview } from '../../settings/schema/recipe-facts.ts';
import { type Rules, storyNames } from './turn.ts';

export type NextTurn =
  | { readonly kind: 'turn'; readonly mode: StoryMode; readonly story: string }
  | { readonly kind: 'complete' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'parked' }
  | { readonly kind: 'stuck'; readonly why: string };

/** `parked`: stories that wait for a person. */
export interface TurnOptions {
  readonly skipReview: boolean;
  readonly parked: ReadonlySet<string>;
}

/**
 * The next turn: first a story that a review sent back, then one that waits for review, then a new one. Among these the lowest priority number, then the first
 * in the list.
 */
export function nextTurn(plan: StoryPlan, { skipReview, parked }: TurnOptions): NextTurn {
  if (plan.userStories.length === 0) return { kind: 'empty' };
  if (isComplete(plan, skipReview)) return { kind: 'complete' };
  const free = plan.userStories.filter(({ id }) => !parked.has(id));
  const isReady = readiness(plan);
  const rejected = skipReview ? null : firstOf(free.filter(({ reviewStatus }) => reviewStatus === 'changes_requested'));
  if (rejected !== null) return { kind: 'turn', mode: 'review-fix', story: rejected.id };
  const waiting = skipReview ? null : firstOf(free.filter(({ reviewStatus }) => reviewStatus === 'needs_review'));
  if (waiting !== null) return { kind: 'turn', mode: 'review', story: waiting.id };
  const fresh = firstOf(free.filter((story) => !story.passes && (skipReview || story.reviewStatus === null) && isReady(story)));
  if (fresh !== null) return { kind: 'turn', mode: 'implement', story: fresh.id };
  const open = plan.userStories.filter((story) => !isDone(story, skipReview));
  if (open.some(({ id }) => parked.has(id))) return { kind: 'parked' };
  return { kind: 'stuck', why: `no open story can be begun: ${storyNames(open.map(({ id }) => id))} wait for stories that have not passed` };
}

/** A list without stories is never complete: emptying it is no work. */
export function isComplete(plan: StoryPlan, skipReview: boolean): boolean {
  return plan.userStories.length > 0 && plan.userStories.every((story) => isDone(story, skipReview));
}

export function isDone({ passes, reviewStatus }: Story, skipReview: boolean): boolean {
  return passes && (skipReview || reviewStatus === 'approved');
}

/** Whether all dependencies of a story have passed. */
export function readiness(plan: StoryPlan): (story: Story) => boolean {
  const passed = new Set(plan.userStories.filter(({ passes }) => passes).map(({ id }) => id));
  return ({ dependsOn }) => dependsOn.every((need) => passed.has(need));
}

function firstOf(stories: readonly Story[]): Story | null {
  return stories.reduce<Story | null>((first, story) => (first === null || story.priority < first.priority ? story : first), null);
}

export interface BudgetEstimate {
  readonly open: number;
  readonly each: number;
  readonly total: number;
  readonly text: string;
}

/** About how many iterations the open stories will take. */
export function budgetEstimate(plan: StoryPlan, rules: Rules): BudgetEstimate {
  const open = plan.userStories.filter((story) => !isDone(story, rules.skipReview)).length;
  const each = iterationsEach(rules);
  const total = open * each;
  return { open, each, total, text: `${counted(open, 'story', 'stories')} × ~${iterations(each)} each = ~${iterations(total)} needed` };
}

/** One to implement it and one to review it; where that review is not the last, one more, since some stories are sent back. */
function iterationsEach({ skipReview, cap }: Rules): number {
  if (skipReview) return 1;
  return cap === 1 ? 2 : 3;
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const iterations = (count: number) => counted(count, 'iteration', 'iterations');

interface ProvenStory {
  readonly story: Story;
  readonly at: NonNullable<RecordedTurn['at']>;
  readonly proof: Proof;
}

/** The story that has passed its checks in this turn and has no receipt yet; null: none. Without checks nothing is proven that could be repeated. */
export function storyWithoutReceipt(iteration: OpenIteration, { stories, questions, run }: RunState): ProvenStory | null {
  const { turn } = iteration;
  const at = turn?.recorded?.at;
  if (turn === null || at === undefined || !turn.recorded?.moved || turn.hasReceipt) return null;
  const story = stories.plan?.userStories.find(({ id }) => id === storyOfTurn(turn));
  const proof = proofOf(iteration);
  if (story === undefined || !isDone(story, skipsReview(run?.settings))) return null;
  return proof === null || proof.checks.length === 0 ? null : { story, at, proof: withAllowance(proof, story.id, { stories, questions }) };
}

/** What a person allowed is the story's base from then on, so its last proof does not mention it. */
function withAllowance(proof: Proof, story: string, { stories: { allowed = {} }, questions }: Pick<RunState, 'stories' | 'questions'>): Proof {
  const tree = Object.hasOwn(allowed, story) ? allowed[story] : undefined;
  const asked = questions.findLast(({ task, held }) => task === story && held !== undefined && held.tree === tree);
  if (proof.judged === null || !asked?.held || !asked.answered) return proof;
  const { by, atMs } = asked.answered;
  return { ...proof, judged: { ...proof.judged, changed: [...asked.held.changed, ...proof.judged.changed], allowedBy: by, allowedAtMs: atMs } };
}
