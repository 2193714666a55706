import { oneLine } from '../../kit/pure/text.ts';
import { type JsonObject, readJsonObject, readStoryEntry, type StoryReading } from './story-fields.ts';

/** The top-level fields that an agent may not change. */
export const TOP_FIELDS = ['project', 'branchName', 'description', 'verifyCommands'] as const;
export type TopField = (typeof TOP_FIELDS)[number];

/** More stories than a file within the size limit can hold. */
const MOST_ENTRIES = 50_000;

export interface FormReading {
  /** All top-level fields besides the stories. */
  readonly top: JsonObject;
  /** A sentence for each invalid field. */
  readonly topProblems: ReadonlyMap<TopField, string>;
  readonly stories: readonly StoryReading[];
}

/** The entries of the form, or why it cannot be judged. */
export function readForm(form: PlanForm): { readonly reading: FormReading; readonly problem: null } | { readonly reading: null; readonly problem: string } {
  const no = (problem: string) => ({ reading: null, problem });
  if (form.kind === 'missing') return no('tasks.json is missing. Put it back.');
  if (form.kind === 'refused') return no(`tasks.json ${oneLine(form.why)}. Put it back as the plain file it was.`);
  const { value, problem } = readJsonObject(form.text);
  if (value === null) return no(`${problem}. Mend it, so that it is the list of stories again.`);
  const { userStories, ...top } = value;
  if (!Object.hasOwn(value, 'userStories')) return no("Missing required top-level field: 'userStories'. Put the stories back.");
  if (!Array.isArray(userStories)) return no("'userStories' must be an array. Put the stories back.");
  if (userStories.length > MOST_ENTRIES) return no(`tasks.json has more than ${MOST_ENTRIES} stories. Put back those it had.`);
  const filled = Object.hasOwn(top, 'verifyCommands') ? top : { ...top, verifyCommands: [] };
  return { reading: { top: filled, topProblems: topProblems(filled), stories: userStories.map(readStoryEntry) }, problem: null };
}

function topProblems(top: JsonObject): ReadonlyMap<TopField, string> {
  const problems = new Map<TopField, string>();
  for (const field of TOP_FIELDS) {
    const value = top[field];
    const isRight = field === 'verifyCommands' ? Array.isArray(value) && value.every((command) => typeof command === 'string') : typeof value === 'string';
    if (!Object.hasOwn(top, field)) problems.set(field, `Missing required top-level field: '${field}'.`);
    else if (!isRight) problems.set(field, `'${field}' must be ${field === 'verifyCommands' ? 'an array of strings' : 'a string'}.`);
  }
  return problems;
}

/** Entries whose id an earlier entry has. */
export function duplicateEntries(stories: readonly StoryReading[]): readonly StoryReading[] {
  const seen = new Set<string>();
  return stories.filter(({ id }) => {
    if (id === null) return false;
    if (seen.has(id)) return true;
    seen.add(id);
    return false;
  });
}

/** `tasks.json` as somebody left it: a form, which counts only after it was judged. */
export type PlanForm = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'missing' } | { readonly kind: 'refused'; readonly why: string };

/** The check of the stop hook that reports it. */
export type Check = 'schema' | 'integrity' | 'transition';

/** One line that says what was wrong, and what to do instead. */
export interface Refusal {
  readonly check: Check;
  readonly text: string;
}

export function refusals(check: Check, texts: readonly string[]): readonly Refusal[] {
  return texts.map((text) => ({ check, text }));
}

const PREFIXES = {
  schema: 'Task list validation failed: ',
  integrity: 'Review integrity check failed: ',
  transition: 'Transition validation failed: ',
} as const satisfies Record<Check, string>;

/** With the prefix that agents see when they want to stop. */
export function withPrefix({ check, text }: Refusal): string {
  return PREFIXES[check] + text;
}
