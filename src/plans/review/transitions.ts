import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { deletedStory, feedbackLeft, illegalTransition, type StateChange, secondStory, stateChanges, uncleanStory } from './illegal-transition.ts';
import { CLEAN, STATE_FIELDS } from './story-fields.ts';
import type { Turn, WorkMode } from './turn.ts';

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
