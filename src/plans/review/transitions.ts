import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { CLEAN, STATE_FIELDS, type StateField } from './story-fields.ts';
import { storyName, type Turn, type WorkMode } from './turn.ts';

export type StorySnapshot = Pick<Story, 'passes' | 'reviewStatus' | 'reviewCount'>;

/** By the id of a story. */
export type StateSnapshot = Readonly<Record<string, StorySnapshot>>;

const FIELDS = ['passes', 'reviewStatus', 'reviewCount'] as const;

interface Changed {
  readonly was: StorySnapshot;
  readonly is: Story;
  readonly changes: readonly StateChange[];
}

export function snapshotOf(plan: StoryPlan): StateSnapshot {
  return Object.fromEntries(plan.userStories.map(({ id, passes, reviewStatus, reviewCount }) => [id, { passes, reviewStatus, reviewCount }]));
}

/** The state changes that the agent's turn was not for (check 2.5), as far as a snapshot shows them. */
export function transitionProblems(before: StateSnapshot, after: StoryPlan, turn: Omit<Turn, 'story'>): readonly string[] {
  const left = new Set(after.userStories.map(({ id }) => id));
  const deleted = Object.entries(before).filter(([id]) => !left.has(id));
  const unclean = after.userStories.filter((story) => !Object.hasOwn(before, story.id) && stateChanges(CLEAN, story, STATE_FIELDS).length > 0);
  return [
    ...deleted.map(([id, { passes }]) => deletedStory(id, passes)),
    ...unclean.map(({ id }) => uncleanStory(id)),
    ...(turn.skipReview ? [] : moveProblems(before, after, turn)),
  ];
}

function moveProblems(before: StateSnapshot, after: StoryPlan, turn: Omit<Turn, 'story'>): readonly string[] {
  const changed = after.userStories.flatMap((is): readonly Changed[] => {
    const was = Object.hasOwn(before, is.id) ? before[is.id] : undefined;
    const changes = was === undefined ? [] : stateChanges(was, is, FIELDS);
    return was === undefined || changes.length === 0 ? [] : [{ was, is, changes }];
  });
  const from = turn.mode === 'implement' ? null : 'changes_requested';
  const isStep = ({ field, old, now }: StateChange) => field === 'reviewStatus' && old === from && now === 'needs_review';
  const stale = changed.filter(({ is, changes }) => turn.mode === 'review-fix' && changes.some(isStep) && is.reviewFeedback.trim() !== '');
  return [...workProblems(changed, turn.mode, isStep), ...stale.map(({ is }) => feedbackLeft(is.id))];
}

/** Among all changes, one step of one story is what the turn was for. */
function workProblems(changed: readonly Changed[], mode: WorkMode, isStep: (change: StateChange) => boolean): readonly string[] {
  const steps = changed.filter(({ changes }) => changes.some(isStep));
  return changed.flatMap(({ is, changes }) =>
    changes.flatMap((change) => {
      if (!isStep(change)) return [illegalTransition(mode, is.id, change)];
      return steps[0]?.is === is ? [] : [secondStory(mode, is.id, change)];
    }),
  );
}

/** One changed field of a story. */
export interface StateChange {
  readonly field: StateField;
  readonly old: Story[StateField];
  readonly now: Story[StateField];
}

/** The changes among these fields. */
export function stateChanges(was: Partial<Story>, is: Story, fields: readonly StateField[]): readonly StateChange[] {
  return fields.filter((field) => was[field] !== is[field]).map((field) => ({ field, old: was[field] ?? null, now: is[field] }));
}

export function changeText({ field, old, now }: StateChange): string {
  return field === 'reviewFeedback' ? `${field} "${storyName(String(old))}" → "${storyName(String(now))}"` : `${field} ${old} → ${now}`;
}

/** The message in the words of the seed. */
export function illegalTransition(mode: WorkMode, id: string, change: StateChange): string {
  const name = storyName(id);
  const text = changeText(change);
  switch (mode) {
    case 'implement':
      return `Implement iterations cannot set passes=true or approve stories. Only review iterations may approve. Story ${name} had illegal transition: ${text}.`;
    case 'review-fix':
      return `Review-fix iterations cannot approve stories. Story ${name} must go back to needs_review for re-review. Illegal transition: ${text}.`;
  }
}

/** `mode` is for one story, and this is another one. */
export function secondStory(mode: WorkMode, id: string, change: StateChange): string {
  const word = { implement: 'Implement', 'review-fix': 'Review-fix' }[mode];
  return `${word} iterations may only modify one story, but multiple stories were changed. Story ${storyName(id)} had illegal transition: ${changeText(change)}. Put it back: a later iteration takes it up.`;
}

export function feedbackLeft(id: string): string {
  return `Story ${storyName(id)} goes back to review with its old reviewFeedback. Clear it: set reviewFeedback to "".`;
}

export function deletedStory(id: string, passes: boolean): string {
  const name = storyName(id);
  if (passes) return `Finished stories may not be deleted: story ${name} is gone. Put it back as it was.`;
  return `Unfinished stories may be split, never deleted: story ${name} is gone. Put it back; a story that is split keeps its id and dependsOn its parts.`;
}

export function uncleanStory(id: string): string {
  return `New story ${storyName(id)} does not start clean. New stories must start with passes=false, reviewStatus=null, reviewCount=0 and reviewFeedback="".`;
}
