import type { StoryPlan } from '../../journal/words/story.ts';
import { dependencyProblems } from './dependencies.ts';
import { readForm, secondOnes } from './read-form.ts';
import { notesProblem, storyFrom } from './story-fields.ts';
import { storyName } from './story-name.ts';

export type ReadStories = { readonly plan: StoryPlan; readonly problems: readonly [] } | { readonly plan: null; readonly problems: readonly string[] };

/** The list of stories a text is, or all that is wrong with it (check 1). */
export function readStories(text: string): ReadStories {
  const { reading, problem } = readForm({ kind: 'text', text });
  if (reading === null) return { plan: null, problems: [problem] };
  const wrong = [
    ...reading.topProblems.values(),
    ...reading.stories.flatMap(({ problems }) => [...problems.values()]),
    ...secondOnes(reading.stories).map(duplicateText),
  ];
  if (wrong.length > 0) return { plan: null, problems: wrong };
  const userStories = reading.stories.map((story) => storyFrom(story));
  const problems = [...userStories.flatMap((story) => notesProblem(story) ?? []), ...dependencyProblems(userStories)];
  if (problems.length > 0) return { plan: null, problems };
  return { plan: { ...reading.top, userStories } as unknown as StoryPlan, problems: [] };
}

export function duplicateText({ id }: { readonly id: string | null }): string {
  return `Duplicate story ID: '${storyName(id ?? '')}'. Give the second one an id of its own.`;
}
