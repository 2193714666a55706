import type { Story } from '../../journal/words/story.ts';
import { isJsonObject, isSameJson, type JsonObject, withoutProto } from './json-object.ts';
import { storyName } from './turn.ts';

export type StoryField =
  | 'id'
  | 'title'
  | 'description'
  | 'acceptanceCriteria'
  | 'priority'
  | 'passes'
  | 'reviewStatus'
  | 'reviewCount'
  | 'reviewFeedback'
  | 'notes'
  | 'dependsOn';

/** What only moves by the rules of the review. */
export const STATE_FIELDS = ['passes', 'reviewStatus', 'reviewCount', 'reviewFeedback'] as const satisfies readonly StoryField[];
export type StateField = (typeof STATE_FIELDS)[number];

/** How every story begins. */
export const CLEAN = { passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '' } as const satisfies Pick<Story, StateField>;

interface FieldRule {
  readonly field: StoryField;
  readonly holds: (value: unknown) => boolean;
  readonly must: string;
  /** What a story says that does not name the field; without one it must. */
  readonly otherwise?: string | readonly string[];
}

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

/** Nobody who keeps something by id may find what every object has of itself. */
const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && !(value in {});
const isStatus = (value: unknown) => value === null || value === 'needs_review' || value === 'changes_requested' || value === 'approved';

/** What a story may change although it decides whether it is good: a person's alone, in either spelling. */
const MAY_CHANGE = ['mayChange', 'may_change'] as const;

export function mayChangeOf(story: Story): readonly string[] {
  return MAY_CHANGE.flatMap((key) => [story[key]].flat()).filter((pattern) => typeof pattern === 'string');
}

/** Null where both may change the same. Else the story as the other one has it in that. */
export function withMayChangeOf(was: Story | null, is: Story): Story | null {
  const kept = MAY_CHANGE.flatMap((key) => (was !== null && Object.hasOwn(was, key) ? [[key, was[key]] as const] : []));
  if (MAY_CHANGE.every((key) => isSameJson(was?.[key], is[key]))) return null;
  const others = Object.entries(is).filter(([key]) => !MAY_CHANGE.some((each) => each === key));
  return Object.fromEntries([...others, ...kept]) as Story;
}

const RULES: readonly FieldRule[] = [
  { field: 'id', holds: isId, must: 'must be a non-empty string, such as US-001' },
  { field: 'title', holds: isText, must: 'must be a string' },
  { field: 'description', holds: isText, must: 'must be a string', otherwise: '' },
  {
    field: 'acceptanceCriteria',
    holds: (value) => isTexts(value) && Array.isArray(value) && value.length > 0,
    must: 'must be a non-empty array of strings',
  },
  { field: 'priority', holds: Number.isFinite, must: 'must be a number' },
  { field: 'passes', holds: (value) => typeof value === 'boolean', must: 'must be true or false' },
  { field: 'reviewStatus', holds: isStatus, must: "must be null, 'needs_review', 'changes_requested' or 'approved'" },
  { field: 'reviewCount', holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0, must: 'must be a non-negative integer' },
  { field: 'reviewFeedback', holds: isText, must: 'must be a string' },
  { field: 'notes', holds: isText, must: 'must be a string', otherwise: '' },
  { field: 'dependsOn', holds: isTexts, must: 'must be an array of story ids', otherwise: [] },
];

const FIELDS: ReadonlySet<string> = new Set(RULES.map(({ field }) => field));

export function isStoryField(key: string): key is StoryField {
  return FIELDS.has(key);
}

/** One entry of the list as it was read. */
export interface StoryReading {
  /** Null: it has none that could be one. */
  readonly id: string | null;
  /** What it says, with what it may leave out; what is wrong is in there as it is. */
  readonly said: JsonObject;
  /** A sentence for each field that is wrong. */
  readonly problems: ReadonlyMap<StoryField | 'all', string>;
}

export function readStoryEntry(entry: unknown, index: number): StoryReading {
  const place = `Story at position ${index + 1}`;
  if (!isJsonObject(entry)) return { id: null, said: {}, problems: new Map([['all', `${place} must be an object.`]]) };
  const own = withoutProto(entry);
  const left = RULES.filter(({ field, otherwise }) => otherwise !== undefined && !Object.hasOwn(own, field));
  const said = { ...own, ...Object.fromEntries(left.map(({ field, otherwise }) => [field, otherwise])) };
  const id = isId(said['id']) ? said['id'] : null;
  const name = id === null ? place : `Story ${storyName(id)}`;
  const wrong = RULES.flatMap((rule): readonly (readonly [StoryField, string])[] => {
    const problem = fieldProblem(said, rule);
    return problem === null ? [] : [[rule.field, `${name} ${problem}.`]];
  });
  return { id, said, problems: new Map(wrong) };
}

function fieldProblem(said: JsonObject, { field, holds, must }: FieldRule): string | null {
  if (!Object.hasOwn(said, field)) return `is missing required field '${field}'`;
  return holds(said[field]) ? null : `has a wrong '${field}': it ${must}`;
}

/** The story that was read; what is wrong in it is as `truth` has it. */
export function storyFrom({ said, problems }: StoryReading, truth: Partial<Story> = {}): Story {
  const repaired = [...problems.keys()].map((field) => [field, truth[field]] as const);
  return { ...said, ...Object.fromEntries(repaired) } as Story;
}

/** What nobody wrote down is not done. */
export function notesProblem({ id, passes, notes }: Story): string | null {
  return passes && notes.trim() === '' ? `Story ${storyName(id)} has passes=true but empty notes. Write into notes what was done.` : null;
}
