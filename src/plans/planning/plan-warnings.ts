import type { StoryPlan } from '../../journal/words/story.ts';

/** What keeps nobody from starting and is worth a look all the same. */
export function planWarnings({ verifyCommands, userStories }: StoryPlan): readonly string[] {
  const first = new Map<number, string>();
  const equal = userStories.flatMap(({ id, priority }) => {
    const other = first.get(priority);
    if (other === undefined) first.set(priority, id);
    return other === undefined ? [] : [`Story ${id} has the same priority as ${other} (${priority}): which goes first is their order in the list`];
  });
  return [
    ...(verifyCommands.length === 0 ? ['There are no verifyCommands: nothing but the review proves that a story is done'] : []),
    ...(userStories.length === 0 ? ['There are no stories'] : []),
    ...equal,
    ...userStories.filter(({ description }) => description.trim() === '').map(({ id }) => `Story ${id} has no description`),
  ];
}
