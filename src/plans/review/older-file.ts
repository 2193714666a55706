import { isJsonObject, type JsonObject, readJsonObject } from './json-object.ts';
import { CLEAN } from './story-fields.ts';

const REVIEW_FIELDS = ['reviewStatus', 'reviewCount', 'reviewFeedback'] as const;

/** A list from before there were reviews, in today's words; null where it is none: then nothing is guessed. */
export function likeToday(text: string): { readonly text: string; readonly changes: readonly string[] } | null {
  const { value } = readJsonObject(text);
  const stories: unknown = value?.['userStories'];
  if (value === null || !Array.isArray(stories) || stories.length === 0 || !stories.every(isWithoutReview)) return null;
  const { passes: _, ...unreviewed } = CLEAN;
  const userStories = stories.map((story: JsonObject) => ({ ...story, ...unreviewed }));
  const filled = { ...value, description: value['description'] ?? '', verifyCommands: value['verifyCommands'] ?? [], userStories };
  return { text: JSON.stringify(filled), changes: ['tasks.json is from before there were reviews: its stories got the fields of one, all empty.'] };
}

function isWithoutReview(story: unknown): boolean {
  return isJsonObject(story) && !REVIEW_FIELDS.some((field) => Object.hasOwn(story, field));
}
