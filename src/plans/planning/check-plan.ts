import type { StoryPlan } from '../../journal/words/story.ts';
import { integrityProblems } from '../review/stories-text.ts';
import type { Rules } from '../review/turn.ts';
import type { CallerPlace } from '../tasks/work-tree.ts';
import { findStories } from './find-stories.ts';

export interface CheckedPlan {
  readonly path: string;
  readonly stories: number;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Reports all problems of a list of stories, by the same rules as the loop. Changes nothing. */
export async function checkPlan(wanted: string | null, rules: Rules, standpoint: CallerPlace): Promise<CheckedPlan> {
  const { path, plan, problems } = await findStories(wanted, standpoint);
  if (plan === null) return { path, stories: 0, problems, warnings: [] };
  return { path, stories: plan.userStories.length, problems: integrityProblems(plan, rules), warnings: planWarnings(plan) };
}

/** Problems that do not prevent a start. */
function planWarnings({ verifyCommands, userStories }: StoryPlan): readonly string[] {
  const first = new Map<number, string>();
  const equal = userStories.flatMap(({ id, priority }) => {
    const other = first.get(priority);
    if (other === undefined) first.set(priority, id);
    return other === undefined ? [] : [`Story ${id} has the same priority as ${other} (${priority}): their order in the list decides which goes first`];
  });
  return [
    ...(verifyCommands.length === 0 ? ['There are no verifyCommands: nothing but the review proves that a story is done'] : []),
    ...(userStories.length === 0 ? ['There are no stories'] : []),
    ...equal,
    ...userStories.filter(({ description }) => description.trim() === '').map(({ id }) => `Story ${id} has no description`),
  ];
}
