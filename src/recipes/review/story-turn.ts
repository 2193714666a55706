import type { View } from '../../engine/decide/recipe.ts';
import type { TurnRequest } from '../../journal/effects/effect.ts';
import { answersAbout, openQuestions } from '../../journal/state/questions.ts';
import type { OpenIteration, StartedState } from '../../journal/state/state.ts';
import { type SettledTurn, type StoryTurn, storyOfTurn } from '../../journal/state/stories-state.ts';
import type { Story, StoryCheck, StoryMode, StoryPlan } from '../../journal/words/story.ts';
import { mayRetry } from '../../limits/retry-policy.ts';
import { reasonToAbandon } from '../../limits/time.ts';
import { type AppliedMoves, applyMoves, needsProof as movesNeedProof } from '../../plans/review/apply-moves.ts';
import { type NextTurn, nextTurn } from '../../plans/review/next-turn.ts';
import { type Rules, saysAtCap } from '../../plans/review/turn.ts';
import type { SettingsWith } from '../../settings/schema/run-settings.ts';

/** The settings and the state of a run on stories. */
export type StoriesSettings = SettingsWith<'stories'>;
export type StoriesView = View<StoriesSettings>;
export type StoriesState = StartedState<StoriesSettings>;

/** The next turn, while no agent is running; null before the list was read. */
export function nextTurnNow(view: StoriesView): NextTurn | null {
  const { plan, look } = view.state.stories;
  if (plan === null || look === null) return null;
  const { state } = view;
  const parked = new Set([...openQuestions(state).flatMap(({ task }) => task ?? []), ...(state.tasks.skipped ?? [])]);
  return nextTurn(plan, { skipReview: view.settings.stories.skipReview, parked });
}

/** True when this turn starts no more agents: its result can be judged. */
export function isReadyToJudge(iteration: OpenIteration, turn: StoryTurn, view: StoriesView): boolean {
  const { last, repeated } = iteration;
  if (reasonToAbandon(view) !== null) return true;
  if (last === null || turn.settled === null) return false;
  if (turn.problem !== null) return true;
  return !mayRetry(last.verdict, repeated, view.settings.limits.repeats) && !(last.verdict === 'ok' && wantsAnotherReviewer(turn, view));
}

/** Every reviewer so far has decided, and not all reviewers were asked. */
function wantsAnotherReviewer({ mode, moves, spoken }: StoryTurn, view: StoriesView): boolean {
  return mode === 'review' && moves.length > 0 && moves.length === spoken && spoken < view.settings.stories.reviewers;
}

/** Whether the result of the turn counts at all: all reviewers have decided, and no rule was broken. */
function countsIn({ moves, mode, problem }: StoryTurn, view: StoriesView): boolean {
  if (problem !== null || moves.length === 0 || reasonToAbandon(view) === 'abort') return false;
  return mode !== 'review' || moves.length === view.settings.stories.reviewers;
}

/** Whether the gates must run before the result counts: a rejected story needs no proof. */
export function needsProof(turn: StoryTurn, view: StoriesView): boolean {
  if (turn.settled === null || view.settings.gates.length === 0 || !countsIn(turn, view)) return false;
  return movesNeedProof(turn.settled.plan, turn.moves, rulesOf(view));
}

function rulesOf(view: StoriesView): Rules {
  const { reviewCap: cap, skipReview } = view.settings.stories;
  return { cap, skipReview };
}

/** The stories after this turn. */
export function outcomeOfTurn({ judged, proved }: OpenIteration, turn: StoryTurn & { readonly settled: SettledTurn }, view: StoriesView): AppliedMoves {
  const { plan } = turn.settled;
  // A held claim waits for a person: the story is neither approved nor sent back.
  if (!countsIn(turn, view) || proved?.verdict === 'held') return { plan, atCap: null, applied: false };
  const red = judged?.checks.filter(({ green }) => !green).map(({ command, line }) => (line === '' ? command : `${command}: ${line}`)) ?? [];
  const isRefuted = proved !== null && proved.verdict !== 'proven';
  const green = !needsProof(turn, view) || (judged?.green === true && !isRefuted);
  return applyMoves(plan, turn.moves, { ...rulesOf(view), green, red: (isRefuted ? [proved.reason, proved.hint ?? []].flat() : red).join('; ') });
}

/** Whether the story would pass if nothing else prevents it. */
export function wouldPass(turn: StoryTurn & { readonly settled: SettledTurn }, view: StoriesView): boolean {
  if (!needsProof(turn, view)) return false;
  const { plan } = applyMoves(turn.settled.plan, turn.moves, { ...rulesOf(view), green: true, red: '' });
  return plan.userStories.some(({ id, passes }) => passes && id === storyOfTurn(turn));
}

/** The tree before any agent worked on the story, later the one with the changes that a person has allowed. No agent moves it. */
export function baseOf({ story, head }: StoryTurn, { state: { stories } }: StoriesView): string {
  const { ranges, allowed = {} } = stories;
  if (Object.hasOwn(allowed, story) && allowed[story]) return allowed[story];
  const first = Object.hasOwn(ranges, story) ? ranges[story]?.[0] : undefined;
  return `${first?.from ?? head}^{tree}`;
}

/** The last results of the verify commands for a story. */
export function checksOf(story: string, { state }: StoriesView): readonly StoryCheck[] {
  const { checks = {} } = state.stories;
  return (Object.hasOwn(checks, story) && checks[story]) || [];
}

/** What an agent needs for its turn. */
export function turnRequest(turn: StoryTurn, view: StoriesView): TurnRequest {
  const { ranges, feedback, plan } = view.state.stories;
  const story = storyIn(plan, turn.story);
  return {
    mode: turn.mode,
    story,
    ...(turn.mode === 'review' && { checks: [...checksOf(story.id, view)] }),
    ranges: [...((Object.hasOwn(ranges, story.id) && ranges[story.id]) || [])],
    reviewer: { number: turn.spoken + 1, of: turn.mode === 'review' ? view.settings.stories.reviewers : 1 },
    // Cleared whenever a story moves: a reviewer sees only the feedback of reviews.
    feedback: (Object.hasOwn(feedback, story.id) && feedback[story.id]) || '',
    answers: [...answersAbout(story.id, view.state)],
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
