import type { View } from '../../engine/decide/recipe.ts';
import type { TurnRequest } from '../../journal/effects/effect.ts';
import type { OpenIteration } from '../../journal/state/state.ts';
import type { SettledTurn, StoryTurn } from '../../journal/state/stories-state.ts';
import type { Story, StoryCheck, StoryMode, StoryPlan } from '../../journal/words/story.ts';
import { mayRetry } from '../../limits/retry-policy.ts';
import { reasonToAbandon } from '../../limits/time.ts';
import { type AppliedMoves, applyMoves, needsProof as movesNeedProof } from '../../plans/review/apply-moves.ts';
import { type NextTurn, nextTurn } from '../../plans/review/next-turn.ts';
import { type Rules, saysAtCap } from '../../plans/review/turn.ts';
import type { StoriesSpec } from '../../settings/schema/stories-spec.ts';

/** The settings for stories. Called only in a run on stories. */
export function storiesSpec({ settings }: Pick<View, 'settings'>): StoriesSpec {
  if (settings.stories === null) throw new Error('This run works on no stories.');
  return settings.stories;
}

/** The next turn, while no agent is running; null before the list was read. */
export function nextTurnNow(view: View): NextTurn | null {
  const { plan, look, questions } = view.state.stories;
  if (plan === null || look === null) return null;
  const parked = new Set(questions.filter(({ answer }) => answer === null).map(({ story }) => story));
  return nextTurn(plan, { skipReview: storiesSpec(view).skipReview, parked });
}

/** True when this turn starts no more agents: its result can be judged. */
export function isReadyToJudge(iteration: OpenIteration, turn: StoryTurn, view: View): boolean {
  const { last, repeated } = iteration;
  if (reasonToAbandon(view) !== null) return true;
  if (last === null || turn.settled === null) return false;
  if (turn.problem !== null) return true;
  return !mayRetry(last.verdict, repeated, view.settings.limits.repeats) && !(last.verdict === 'ok' && wantsAnotherReviewer(turn, view));
}

/** Every reviewer so far has decided, and not all reviewers were asked. */
function wantsAnotherReviewer({ mode, moves, spoken }: StoryTurn, view: View): boolean {
  return mode === 'review' && moves.length > 0 && moves.length === spoken && spoken < storiesSpec(view).reviewers;
}

/** Whether the result of the turn counts at all: all reviewers have decided, and no rule was broken. */
function countsIn({ moves, mode, problem }: StoryTurn, view: View): boolean {
  if (problem !== null || moves.length === 0 || reasonToAbandon(view) === 'abort') return false;
  return mode !== 'review' || moves.length === storiesSpec(view).reviewers;
}

/** Whether the gates must run before the result counts: a rejected story needs no proof. */
export function needsProof(turn: StoryTurn, view: View): boolean {
  if (turn.settled === null || view.settings.gates.length === 0 || !countsIn(turn, view)) return false;
  return movesNeedProof(turn.settled.plan, turn.moves, rulesOf(view));
}

function rulesOf(view: View): Rules {
  const { reviewCap: cap, skipReview } = storiesSpec(view);
  return { cap, skipReview };
}

/** The stories after this turn. */
export function outcomeOfTurn({ judged, proved }: OpenIteration, turn: StoryTurn & { readonly settled: SettledTurn }, view: View): AppliedMoves {
  const { plan } = turn.settled;
  // A held claim waits for a person: the story is neither approved nor sent back.
  if (!countsIn(turn, view) || proved?.verdict === 'held') return { plan, atCap: null, applied: false };
  const red = judged?.checks.filter(({ green }) => !green).map(({ command, line }) => (line === '' ? command : `${command}: ${line}`)) ?? [];
  const isRefuted = proved !== null && proved.verdict !== 'proven';
  const green = !needsProof(turn, view) || (judged?.green === true && !isRefuted);
  return applyMoves(plan, turn.moves, { ...rulesOf(view), green, red: (isRefuted ? [proved.reason, proved.hint ?? []].flat() : red).join('; ') });
}

/** Whether the story would pass if nothing else prevents it. */
export function wouldPass(turn: StoryTurn & { readonly settled: SettledTurn }, view: View): boolean {
  if (!needsProof(turn, view)) return false;
  const { plan } = applyMoves(turn.settled.plan, turn.moves, { ...rulesOf(view), green: true, red: '' });
  return plan.userStories.some(({ id, passes }) => passes && id === (turn.moves[0]?.story ?? turn.story));
}

/** The tree before any agent worked on the story, later the one with the changes that a person has allowed. No agent moves it. */
export function baseOf({ story, head }: StoryTurn, { state: { stories } }: View): string {
  const { ranges, allowed = {} } = stories;
  if (Object.hasOwn(allowed, story) && allowed[story]) return allowed[story];
  const first = Object.hasOwn(ranges, story) ? ranges[story]?.[0] : undefined;
  return `${first?.from ?? head}^{tree}`;
}

/** The last results of the verify commands for a story. */
export function checksOf(story: string, { state }: View): readonly StoryCheck[] {
  const { checks = {} } = state.stories;
  return (Object.hasOwn(checks, story) && checks[story]) || [];
}

/** What an agent needs for its turn. */
export function turnRequest(turn: StoryTurn, view: View): TurnRequest {
  const { ranges, feedback, questions, plan } = view.state.stories;
  const story = storyIn(plan, turn.story);
  return {
    mode: turn.mode,
    story,
    ...(turn.mode === 'review' && { checks: [...checksOf(story.id, view)] }),
    ranges: [...((Object.hasOwn(ranges, story.id) && ranges[story.id]) || [])],
    reviewer: { number: turn.spoken + 1, of: turn.mode === 'review' ? storiesSpec(view).reviewers : 1 },
    // Cleared whenever a story moves: a reviewer sees only the feedback of reviews.
    feedback: (Object.hasOwn(feedback, story.id) && feedback[story.id]) || '',
    answers: questions
      .filter((question) => question.story === story.id && question.answer !== null)
      .map(({ text, answer }) => ({ question: text, answer: answer ?? '' })),
  };
}

/** Throws when the story does not exist. */
export function storyIn(plan: StoryPlan | null, id: string): StoryPlan['userStories'][number] {
  const story = plan?.userStories.find((each) => each.id === id);
  if (!story) throw new Error(`There is no story ${id}.`);
  return story;
}

/** The commit message of a turn whose agent did not commit, in the words of the seed. `story`: as it is after the turn. */
export function turnMessage(mode: StoryMode, story: Story): string {
  if (mode === 'implement') return `feat: [${story.id}] - ${story.title}`;
  if (mode === 'review-fix') return `fix: [${story.id}] - address review feedback`;
  return `review: [${story.id}] - ${decisionText(story)}`;
}

/** The result of a review, in the words of the seed. */
export function decisionText({ reviewStatus, reviewFeedback }: Story): string {
  if (reviewStatus === 'approved') return saysAtCap(reviewFeedback) ? 'auto-approved at cap' : 'approved';
  return reviewStatus === 'changes_requested' ? 'changes requested' : 'what was left';
}
