import type { Story, StoryMove, StoryPlan } from '../../journal/words/story.ts';
import { judgeState, judgeWording } from './judge-story.ts';
import { readiness } from './next-turn.ts';
import { duplicateEntries, type FormReading, type PlanForm, type Refusal, readForm, refusals, TOP_FIELDS } from './read-form.ts';
import { duplicateText, storiesInCycles } from './stories-text.ts';
import {
  CLEAN,
  isSameJson,
  type JsonObject,
  notesProblem,
  STATE_FIELDS,
  type StoryField,
  type StoryReading,
  storyFrom,
  withMayChangeOf,
} from './story-fields.ts';
import { deletedStory, stateChanges, uncleanStory } from './transitions.ts';
import { storyName, type Turn } from './turn.ts';

export interface Judgement {
  /** The truth with the accepted additions and rewordings, before any story moves. */
  readonly plan: StoryPlan;
  readonly move: StoryMove | null;
  readonly refused: readonly Refusal[];
  /** What an agent still has to do before it stops; otherwise the loop does it. */
  readonly forgotten: readonly Refusal[];
}

/** Judges an agent's version of the list. The loop uses it after every attempt, the hook before the agent stops. */
export function judgeForm(truth: StoryPlan, form: PlanForm, turn: Turn): Judgement {
  const { reading, problem } = readForm(form);
  if (reading === null) return { plan: truth, move: null, refused: refusals('schema', [problem]), forgotten: [] };
  const known = new Map(truth.userStories.map((story) => [story.id, story]));
  const entries = firstOnes(reading.stories);
  const worded = truth.userStories.flatMap((was) => {
    const entry = entries.get(was.id);
    return entry === undefined ? [] : [{ was, ...judgeWording(was, entry) }];
  });
  const news = [...entries].filter(([id]) => !known.has(id)).map(([, entry]) => judgeNewStory(entry));
  const byId = new Map([...worded.map(({ story }) => story), ...news.flatMap(({ story }) => story ?? [])].map((story) => [story.id, story]));
  const { stories, refused } = settleDependencies(known, inFormOrder(truth.userStories, [...entries.keys()], byId));
  const plan = { ...topOf(truth, reading.top), userStories: stories } as StoryPlan;
  const state = judgeState(worded, turn, readyIn(plan));
  const moved = worded.filter(({ was }) => was.id === state.move?.story);
  return {
    plan,
    move: state.move,
    refused: [
      ...entryRefusals(reading),
      ...topRefusals(truth, reading),
      ...refusals(
        'transition',
        truth.userStories.filter(({ id }) => !entries.has(id)).map(({ id, passes }) => deletedStory(id, passes)),
      ),
      ...[...worded, ...news].flatMap((judged) => judged.refused),
      ...refused,
      ...state.refused,
    ],
    forgotten: [
      ...refusals(
        'schema',
        moved.flatMap(({ is }) => notesProblem(is) ?? []),
      ),
      ...state.forgotten,
    ],
  };
}

function firstOnes(stories: readonly StoryReading[]): ReadonlyMap<string, StoryReading> {
  const first = new Map<string, StoryReading>();
  for (const story of stories) if (story.id !== null && !first.has(story.id)) first.set(story.id, story);
  return first;
}

function entryRefusals({ stories }: FormReading): readonly Refusal[] {
  const nameless = stories.filter(({ id }) => id === null).flatMap(({ problems }) => problems.get('all') ?? problems.get('id') ?? []);
  return refusals('schema', [...nameless, ...duplicateEntries(stories).map(duplicateText)]);
}

/** An agent may change every other top-level field. */
function topOf(truth: StoryPlan, top: JsonObject): JsonObject {
  return { ...top, ...Object.fromEntries(TOP_FIELDS.map((field) => [field, truth[field]])) };
}

function topRefusals(truth: StoryPlan, { top, topProblems }: FormReading): readonly Refusal[] {
  const changed = TOP_FIELDS.filter((field) => !topProblems.has(field) && !isSameJson(top[field], truth[field]));
  return [
    ...refusals('schema', [...topProblems.values()]),
    ...refusals(
      'transition',
      changed.map((field) => `'${field}' belongs to the operator and may not be changed. Restore it.`),
    ),
  ];
}

function readyIn(plan: StoryPlan): (id: string) => boolean {
  const isReady = readiness(plan);
  const byId = new Map(plan.userStories.map((story) => [story.id, story]));
  return (id) => {
    const story = byId.get(id);
    return story !== undefined && isReady(story);
  };
}

/** In the order of the form; a removed story returns after the one that was before it. */
function inFormOrder(truth: readonly Story[], order: readonly string[], byId: ReadonlyMap<string, Story>): readonly Story[] {
  const ahead: Story[] = [];
  const lost = new Map<string, Story[]>();
  let behind = ahead;
  for (const story of truth) {
    if (byId.has(story.id)) {
      behind = [];
      lost.set(story.id, behind);
    } else behind.push(story);
  }
  const there = order.flatMap((id) => {
    const story = byId.get(id);
    return story === undefined ? [] : [story, ...(lost.get(id) ?? [])];
  });
  return [...ahead, ...there];
}

const STATE: ReadonlySet<StoryField | 'all'> = new Set(STATE_FIELDS);

/** A new story. Whatever it says about itself, its state starts clean. An invalid story is left out. */
function judgeNewStory(reading: StoryReading): { readonly story: Story | null; readonly refused: readonly Refusal[] } {
  const problems = [...reading.problems].filter(([field]) => !STATE.has(field)).map(([, text]) => text);
  if (problems.length > 0)
    return {
      story: null,
      refused: refusals(
        'schema',
        problems.map((text) => `${text} Without that the new story is left out.`),
      ),
    };
  const form = storyFrom(reading, CLEAN);
  const unlicensed = withMayChangeOf(null, form);
  const story = unlicensed ?? form;
  const isUnclean = stateChanges(CLEAN, story, STATE_FIELDS).length > 0;
  return {
    story: { ...story, ...CLEAN },
    refused: [
      ...refusals('schema', [...reading.problems.values()]),
      ...refusals('transition', [
        ...(isUnclean ? [uncleanStory(story.id)] : []),
        ...(unlicensed === null ? [] : [`Only the operator sets what story ${storyName(story.id)} may change: mayChange was removed.`]),
      ]),
    ],
  };
}

/** The stories without new dependencies that are unknown or make a cycle. Old ones stay: they were valid. */
function settleDependencies(
  truth: ReadonlyMap<string, Story>,
  stories: readonly Story[],
): { readonly stories: readonly Story[]; readonly refused: readonly Refusal[] } {
  const ids = new Set(stories.map(({ id }) => id));
  const dangling = removeArrows(
    truth,
    stories,
    (_, need) => !ids.has(need),
    (id, need) => `Story ${id} dependsOn '${need}', which is not in the list. Name a story that is, or remove it.`,
  );
  const entangledIds = storiesInCycles(new Map(dangling.stories.map(({ id, dependsOn }) => [id, dependsOn])));
  const cycles = removeArrows(
    truth,
    dangling.stories,
    (id, need) => entangledIds.has(id) && entangledIds.has(need),
    (id, need) => `Story ${id} dependsOn '${need}' makes stories depend on each other in a cycle. Remove it.`,
  );
  return { stories: cycles.stories, refused: [...dangling.refused, ...cycles.refused] };
}

function removeArrows(
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
