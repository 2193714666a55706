import type { Story } from '../../journal/words/story.ts';
import type { StateField } from './story-fields.ts';
import { storyName, type WorkMode } from './turn.ts';

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
