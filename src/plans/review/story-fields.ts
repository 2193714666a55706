import type { Story } from '../../journal/words/story.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
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

/** Fields that change only by the rules of the review. */
export const STATE_FIELDS = ['passes', 'reviewStatus', 'reviewCount', 'reviewFeedback'] as const satisfies readonly StoryField[];
export type StateField = (typeof STATE_FIELDS)[number];

/** The state of a new story. */
export const CLEAN = { passes: false, reviewStatus: null, reviewCount: 0, reviewFeedback: '' } as const satisfies Pick<Story, StateField>;

interface FieldRule {
  readonly field: StoryField;
  readonly holds: (value: unknown) => boolean;
  readonly must: string;
  /** The default of an optional field; without one the field is required. */
  readonly otherwise?: string | readonly string[];
}

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

/** Names such as `__proto__` are refused, because objects are keyed by id. */
const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && !(value in {});
const isStatus = (value: unknown) => value === null || value === 'needs_review' || value === 'changes_requested' || value === 'approved';

/** The deciders that a story may change. Only a person sets it, in either spelling. */
const MAY_CHANGE = ['mayChange', 'may_change'] as const;

export function mayChangeOf(story: Story): readonly string[] {
  return MAY_CHANGE.flatMap((key) => [story[key]].flat()).filter((pattern) => typeof pattern === 'string');
}

/** Null where both may change the same. Otherwise the story with the old value. */
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
  /** Null: it has no valid id. */
  readonly id: string | null;
  /** Its fields, with defaults filled in; invalid values are unchanged. */
  readonly said: JsonObject;
  /** A sentence for each invalid field. */
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

/** The story that was read; invalid fields have the values of `truth`. */
export function storyFrom({ said, problems }: StoryReading, truth: Partial<Story> = {}): Story {
  const repaired = [...problems.keys()].map((field) => [field, truth[field]] as const);
  return { ...said, ...Object.fromEntries(repaired) } as Story;
}

/** Empty notes mean: not done. */
export function notesProblem({ id, passes, notes }: Story): string | null {
  return passes && notes.trim() === '' ? `Story ${storyName(id)} has passes=true but empty notes. Write into notes what was done.` : null;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A list of stories is four levels deep. Much deeper JSON could be read, but writing it again would overflow the stack. */
const DEEPEST = 64;
const LONGEST_COMPLAINT = 160;

/** The object of a JSON text, or why it is not one. */
export function readJsonObject(text: string): { readonly value: JsonObject; readonly problem: null } | { readonly value: null; readonly problem: string } {
  const no = (problem: string) => ({ value: null, problem });
  if (isTooDeep(text)) return no(`tasks.json is nested more than ${DEEPEST} deep`);
  try {
    // An editor may have added a byte order mark.
    const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
    return isJsonObject(value) ? { value: withoutProto(value), problem: null } : no('tasks.json is not a JSON object');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return no(`tasks.json is not valid JSON: ${truncateCodePoints(oneLine(why), LONGEST_COMPLAINT, '…')}`);
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes the key `__proto__`: copying such an object by assignment would change its prototype. */
function withoutProto(value: JsonObject): JsonObject {
  return Object.hasOwn(value, '__proto__') ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__')) : value;
}

export function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
