import type { Story, StoryMove } from '../../journal/words/story.ts';
import { type Refusal, refusals } from './read-form.ts';
import { isSameJson, notesProblem, STATE_FIELDS, type StoryReading, storyFrom, withMayChangeOf } from './story-fields.ts';
import { changeText, feedbackLeft, illegalTransition, type StateChange, secondStory, stateChanges } from './transitions.ts';
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

export interface JudgedWording {
  /** As the form has it, with invalid values reverted. */
  readonly is: Story;
  /** The accepted story, still in its old state. */
  readonly story: Story;
  readonly refused: readonly Refusal[];
}

/** An agent may reword everything in an existing story but its title, its state, its criteria and its dependencies. */
export function judgeWording(was: Story, reading: StoryReading): JudgedWording {
  const form = storyFrom(reading, was);
  const unlicensed = withMayChangeOf(was, form);
  const is = unlicensed ?? form;
  const name = storyName(was.id);
  const refused: string[] = unlicensed === null ? [] : [`What story ${name} may change belongs to the operator. Put mayChange back as it was.`];
  const kept: Partial<Record<keyof Story, unknown>> = {};
  const putBack = (field: 'title' | 'acceptanceCriteria' | 'dependsOn', why: string) => {
    kept[field] = was[field];
    refused.push(why);
  };
  if (is.title !== was.title) putBack('title', `The title of story ${name} may not be changed. Put it back to "${storyName(was.title)}".`);
  const criteria = criteriaProblem(was, is);
  if (criteria !== null) putBack('acceptanceCriteria', criteria);
  const needs = needsProblem(was, is);
  if (needs !== null) putBack('dependsOn', needs);
  const notes = was.passes ? notesProblem({ ...is, passes: true }) : null;
  if (notes !== null) kept['notes'] = was.notes;
  const state = Object.fromEntries(STATE_FIELDS.map((field) => [field, was[field]]));
  return {
    is,
    story: { ...is, ...kept, ...state } as Story,
    refused: [...refusals('schema', [...reading.problems.values(), ...(notes === null ? [] : [notes])]), ...refusals('transition', refused)],
  };
}

function criteriaProblem(was: Story, is: Story): string | null {
  if (isSameJson(was.acceptanceCriteria, is.acceptanceCriteria)) return null;
  const name = storyName(was.id);
  if (was.passes) return `Story ${name} has passed with its acceptanceCriteria. Put them back, and write what is new into a story of its own.`;
  const lost = firstLost(was.acceptanceCriteria, is.acceptanceCriteria);
  if (lost === null) return null;
  return `Acceptance criteria may be added, never removed, reworded or put in another order: story ${name} has lost "${storyName(lost)}". Put it back.`;
}

/** The first old criterion that is missing or out of order. */
function firstLost(old: readonly string[], now: readonly string[]): string | null {
  let at = 0;
  for (const criterion of now) if (at < old.length && criterion === old[at]) at += 1;
  return old[at] ?? null;
}

function needsProblem(was: Story, is: Story): string | null {
  if (isSameJson(was.dependsOn, is.dependsOn)) return null;
  const name = storyName(was.id);
  if (was.passes) return `Story ${name} has passed: its dependsOn may not be changed any more. Put it back.`;
  const now = new Set(is.dependsOn);
  const lost = was.dependsOn.find((need) => !now.has(need));
  return lost === undefined ? null : `dependsOn may be added to, never shortened: story ${name} no longer depends on ${storyName(lost)}. Put it back.`;
}
