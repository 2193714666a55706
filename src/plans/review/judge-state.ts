import type { Story, StoryMove } from '../../journal/words/story.ts';
import { changeText, feedbackLeft, illegalTransition, type StateChange, secondStory, stateChanges } from './illegal-transition.ts';
import { type Refusal, refusals } from './read-form.ts';
import { STATE_FIELDS } from './story-fields.ts';
import { storyName, type Turn } from './turn.ts';

/** A story as the loop knows it, and as the form has it. */
export interface StoryPair {
  readonly was: Story;
  readonly is: Story;
}

export interface JudgedState {
  readonly move: StoryMove | null;
  readonly refused: readonly Refusal[];
  /** What keeps an agent from stopping, although its move counts. */
  readonly forgotten: readonly Refusal[];
}

/** Judges the state changes of stories: at most one move of one story is accepted. */
export function judgeState(pairs: readonly StoryPair[], turn: Turn, isReady: (id: string) => boolean): JudgedState {
  const step = stepOf(turn);
  const movedStories = pairs.filter((pair) => changesOf(pair).some(step.is));
  const movedStory =
    movedStories.find(({ was }) => was.id === turn.story && step.mayMove(was.id, isReady)) ??
    movedStories.find(({ was }) => step.mayMove(was.id, isReady)) ??
    null;
  const refused = pairs.flatMap((pair) =>
    changesOf(pair).flatMap((change) => {
      if (pair === movedStory && (step.is(change) || step.mayClear(change))) return [];
      if (!step.is(change)) return [step.illegal(pair.was.id, change)];
      return [step.mayMove(pair.was.id, isReady) ? secondStory(turn.mode, pair.was.id, change) : step.notThis(pair.was.id, change)];
    }),
  );
  const uncleared = movedStory !== null && turn.mode === 'review-fix' && movedStory.is.reviewFeedback.trim() !== '' ? [feedbackLeft(movedStory.was.id)] : [];
  return {
    move: movedStory === null ? null : { story: movedStory.was.id, to: 'implemented', feedback: '' },
    refused: refusals('transition', refused),
    forgotten: refusals('transition', uncleared),
  };
}

const changesOf = ({ was, is }: StoryPair) => stateChanges(was, is, STATE_FIELDS);

/** The one change that a working turn is for. */
interface Step {
  readonly is: (change: StateChange) => boolean;
  readonly mayMove: (id: string, isReady: (id: string) => boolean) => boolean;
  /** Feedback may be cleared when its story is handed in; the loop clears it in any case. */
  readonly mayClear: (change: StateChange) => boolean;
  readonly illegal: (id: string, change: StateChange) => string;
  readonly notThis: (id: string, change: StateChange) => string;
}

function stepOf({ mode, story, skipReview }: Turn): Step {
  if (skipReview) {
    return {
      is: ({ field, now }) => field === 'passes' && now === true,
      mayMove: (id, isReady) => isReady(id),
      mayClear: () => false,
      illegal: (id, change) =>
        `There is no review in this run (--skip-review). Story ${storyName(id)} had illegal transition: ${changeText(change)}. Put it back, and set only passes=true when the story is done.`,
      notThis: notReady,
    };
  }
  const handedIn = (from: null | 'changes_requested') => (change: StateChange) =>
    change.field === 'reviewStatus' && change.old === from && change.now === 'needs_review';
  const illegal = (id: string, change: StateChange) => illegalTransition(mode, id, change);
  if (mode === 'review-fix') {
    return {
      is: handedIn('changes_requested'),
      mayMove: (id) => id === story,
      mayClear: ({ field }) => field === 'reviewFeedback',
      illegal,
      notThis: (id, change) =>
        `This iteration is for story ${storyName(story)} alone. Story ${storyName(id)} had illegal transition: ${changeText(change)}. Put it back: a later iteration takes it up.`,
    };
  }
  return {
    is: handedIn(null),
    mayMove: (id, isReady) => isReady(id),
    mayClear: ({ field, now }) => field === 'reviewFeedback' && now === '',
    illegal,
    notThis: notReady,
  };
}

function notReady(id: string, change: StateChange): string {
  return `Story ${storyName(id)} depends on stories that have not passed. It had illegal transition: ${changeText(change)}. Put it back, and implement what it depends on first.`;
}
