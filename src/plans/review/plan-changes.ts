import type { Story, StoryPlan } from '../../journal/words/story.ts';
import { isSameJson } from './json-object.ts';
import { TOP_FIELDS } from './read-form.ts';
import { isStoryField } from './story-fields.ts';
import { storyName } from './turn.ts';

/** The differences of two lists, a line for each story. */
export function planChanges(before: StoryPlan, after: StoryPlan): readonly string[] {
  if (before === after) return [];
  const old = new Map(before.userStories.map((story) => [story.id, story]));
  const now = new Set(after.userStories.map(({ id }) => id));
  return [
    ...topChanges(before, after),
    ...after.userStories.flatMap((story) => {
      const was = old.get(story.id);
      return was === undefined ? [`Story ${storyName(story.id)} was added: ${storyName(story.title)}`] : storyChanges(was, story);
    }),
    ...before.userStories.filter(({ id }) => !now.has(id)).map(({ id, title }) => `Story ${storyName(id)} was taken out: ${storyName(title)}`),
    ...orderChanges(before, after, old, now),
  ];
}

function topChanges(before: StoryPlan, after: StoryPlan): readonly string[] {
  const own = new Set<string>([...TOP_FIELDS, 'userStories']);
  const changed: string[] = TOP_FIELDS.filter((field) => !isSameJson(before[field], after[field]));
  const others = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !own.has(key) && !isSameJson(before[key], after[key]));
  const all = [...changed, ...others];
  return all.length === 0 ? [] : [`The list was changed: ${all.map(storyName).join(', ')}.`];
}

function storyChanges(was: Story, story: Story): readonly string[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(story)])].filter((key) => !isSameJson(was[key], story[key]));
  const own = keys.filter(isStoryField).map((field) => fieldChange(field, was[field], story[field]));
  const others = keys.filter((key) => !isStoryField(key)).map(storyName);
  const all = [...own, ...others];
  return all.length === 0 ? [] : [`Story ${storyName(story.id)} was changed: ${all.join(', ')}.`];
}

/** Short values are shown in full. */
function fieldChange(field: string, old: unknown, now: unknown): string {
  const isShort = [old, now].every((value) => value === null || typeof value === 'boolean' || typeof value === 'number' || field === 'reviewStatus');
  return isShort ? `${field} (${old} → ${now})` : field;
}

function orderChanges(before: StoryPlan, after: StoryPlan, old: ReadonlyMap<string, Story>, now: ReadonlySet<string>): readonly string[] {
  const was = before.userStories.filter(({ id }) => now.has(id));
  const is = after.userStories.filter(({ id }) => old.has(id));
  return was.every(({ id }, index) => id === is[index]?.id) ? [] : ['The stories are in another order.'];
}
