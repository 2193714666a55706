import type { StopRule } from '../../../engine/decide/recipe.ts';
import { openQuestions } from '../../../journal/state/questions.ts';
import { QUESTION_WORDS } from '../../../journal/words/claim.ts';
import { notDone, type Outcome } from '../../../journal/words/outcome.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { stopAfterTheLastIteration } from '../../shared/rules/stops.ts';
import { nextTurnNow, type StoriesSettings, type StoriesView } from '../story-turn.ts';

const MOST_PATHS = 3;

/** Every story passes and is approved, and the gates are green on exactly that state: the only good end. */
export const stopWhenAllStoriesAreApproved: StopRule<StoriesSettings> = (view) => {
  const { state, settings } = view;
  const accepted = state.closed.findLast((iteration) => iteration.accepted);
  if (accepted) return { kind: 'stop', outcome: done(view, accepted.claim) };
  if (nextTurnNow(view)?.kind !== 'complete' || state.open.length > 0) return null;
  const dirty = state.stories.look?.dirty ?? [];
  if (dirty.length > 0) {
    const message = `Every story is approved, but these files are uncommitted: ${dirty.slice(0, MOST_PATHS).join(', ')}`;
    return { kind: 'stop', outcome: notDone('stuck', message) };
  }
  if (settings.gates.length > 0 && state.baseline === null) return null;
  const red = (state.baseline ?? []).filter(({ green }) => !green).map(({ command }) => command);
  if (red.length > 0) return { kind: 'stop', outcome: notDone('stuck', `Every story is approved, but red is: ${red.join(', ')}`) };
  return { kind: 'stop', outcome: done(view, null) };
};

function done(view: StoriesView, claim: Outcome['claim']): Outcome {
  const { state, settings } = view;
  const { skipReview, failOnCap } = view.settings.stories;
  const { atCap, plan } = state.stories;
  const count = plan?.userStories.length ?? 0;
  const all = count === 1 ? `The one story ${skipReview ? 'passes' : 'is approved'}` : `All ${count} stories ${skipReview ? 'pass' : 'are approved'}`;
  const message = atCap.length === 0 ? all : `${all}, at the review cap and with concerns left: ${atCap.join(', ')}`;
  return {
    ...notDone('completed', message, failOnCap && atCap.length > 0 ? 1 : 0),
    claim: claim ?? { by: 'task-state', text: 'every story is approved' },
    // A review by a fresh agent is a proof; without reviews, the verify commands are the only one.
    unproven: skipReview && settings.gates.length === 0,
    zero_work: state.opened === 0,
  };
}

/** Enough time for a person to finish an edit. */
const PATIENCE_MS = 30_000;

/** The list stays unreadable or empty, or another branch is checked out: only a person can fix that. */
export const stopWhenStoriesCannotBeRead: StopRule<StoriesSettings> = (view) => {
  if (view.state.open.length > 0) return null;
  const why = troubleOf(view);
  return why === null ? null : { kind: 'stop', outcome: why };
};

function troubleOf(view: StoriesView): Outcome | null {
  const { planProblem, look } = view.state.stories;
  const { plan, branch } = view.settings.stories;
  if (planProblem !== null && planProblem.atMs - planProblem.sinceMs >= PATIENCE_MS) return notDone('fatal', `${plan} ${planProblem.why}`, 2);
  if (look !== null && look.branch !== branch)
    return notDone('fatal', `${look.branch ?? 'no branch'} is checked out, and the stories are worked on in ${branch}`, 2);
  return nextTurnNow(view)?.kind === 'empty' ? notDone('fatal', `${plan} has no stories, and an empty list is never complete`, 2) : null;
}

/** Nothing can be done until a person has answered a question or changed the list. */
export const stopWhenStoriesWait: StopRule<StoriesSettings> = (view) => {
  if (view.state.open.length > 0) return null;
  const next = nextTurnNow(view);
  if (next?.kind === 'stuck') return { kind: 'stop', outcome: notDone('blocked', next.why, 3) };
  if (next?.kind !== 'parked' || view.settings.stories.wait) return null;
  const newest = openQuestions(view.state).at(-1);
  if (!newest)
    return { kind: 'stop', outcome: notDone('blocked', `No story is left but those that were skipped: ${(view.state.tasks.skipped ?? []).join(', ')}`, 3) };
  const { kind, task, text } = newest;
  const story = task ?? '';
  const way = `Allow it: ralph accept ${view.state.run?.id ?? ''} --task ${shellQuote(story)}`;
  if (kind === 'held') return { kind: 'stop', outcome: notDone('held', `${story} ${QUESTION_WORDS[kind]}: ${text}. ${way}`, 3) };
  return { kind: 'stop', outcome: notDone('waiting', `${story} ${QUESTION_WORDS[kind]}: ${text}`, 3) };
};

/** In the words of seed 003. */
export const stopWhenIterationsAreSpent = stopAfterTheLastIteration(
  ({ settings: { maximumIterations } }) => `Max iterations (${maximumIterations}) reached without completion.`,
);
