import type { Story, StoryMove, StoryPlan } from '../../journal/words/story.ts';
import { judgeForm } from './judge-form.ts';
import { type PlanForm, TOP_FIELDS, withPrefix } from './read-form.ts';
import { isSameJson, isStoryField } from './story-fields.ts';
import { fewLines, storyName, type Turn } from './turn.ts';

export type { PlanForm } from './read-form.ts';

export interface SettledStories {
  /** What the loop knows, with the agent's accepted additions and rewordings. No story has moved. */
  readonly plan: StoryPlan;
  /** What the agent reports about its story; null: nothing that counts. */
  readonly move: StoryMove | null;
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

/** Settles the form that an agent left, field by field: allowed edits are kept, others are reverted. */
export function settleStories(truth: StoryPlan, form: PlanForm, turn: Turn): SettledStories {
  const { plan, move, refused } = judgeForm(truth, form, turn);
  return { plan, move, accepted: fewLines(planChanges(truth, plan)), refused: fewLines(refused.map(({ text }) => text)) };
}

/** What keeps an agent from stopping: everything that the loop would refuse, or would have to do itself. */
export function stopProblems(truth: StoryPlan, form: PlanForm, turn: Turn): readonly string[] {
  const { refused, forgotten } = judgeForm(truth, form, turn);
  return fewLines([...refused, ...forgotten].map(withPrefix));
}

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
