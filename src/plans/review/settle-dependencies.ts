import type { Story } from '../../journal/words/story.ts';
import { entangled } from './dependencies.ts';
import { type Refusal, refusals } from './refusal.ts';
import { storyName } from './story-name.ts';

/** Stories without the new dependencies that lead nowhere or in a circle. The old ones stay: they never did. */
export function settleDependencies(
  truth: ReadonlyMap<string, Story>,
  stories: readonly Story[],
): { readonly stories: readonly Story[]; readonly refused: readonly Refusal[] } {
  const ids = new Set(stories.map(({ id }) => id));
  const dangling = takeOut(
    truth,
    stories,
    (_, need) => !ids.has(need),
    (id, need) => `Story ${id} dependsOn '${need}', which is not in the list. Name a story that is, or take it out.`,
  );
  const knot = entangled(new Map(dangling.stories.map(({ id, dependsOn }) => [id, dependsOn])));
  const circles = takeOut(
    truth,
    dangling.stories,
    (id, need) => knot.has(id) && knot.has(need),
    (id, need) => `Story ${id} dependsOn '${need}' makes stories depend on each other in a circle. Take it out.`,
  );
  return { stories: circles.stories, refused: [...dangling.refused, ...circles.refused] };
}

function takeOut(
  truth: ReadonlyMap<string, Story>,
  stories: readonly Story[],
  isWrong: (id: string, need: string) => boolean,
  text: (id: string, need: string) => string,
): { readonly stories: readonly Story[]; readonly refused: readonly Refusal[] } {
  const refused: string[] = [];
  const left = stories.map((story) => {
    const old = new Set(truth.get(story.id)?.dependsOn);
    const wrong = new Set(story.dependsOn.filter((need) => !old.has(need) && isWrong(story.id, need)));
    if (wrong.size === 0) return story;
    for (const need of wrong) refused.push(text(storyName(story.id), storyName(need)));
    return { ...story, dependsOn: story.dependsOn.filter((need) => !wrong.has(need)) };
  });
  return { stories: left, refused: refusals('schema', refused) };
}
