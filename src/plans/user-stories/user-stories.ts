import type { Plan, PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import { applyChanges, type Change, type FieldValue } from '../editing/changes.ts';
import { addItems, type Field, setField } from '../editing/edit-sheet.ts';
import { fieldsOf } from '../editing/task-fields.ts';
import type { WantedChange, WantedPlan } from '../editing/wanted-plan.ts';
import type { Drafted } from '../plan-form.ts';
import { complain, type Fields, textField, textsField } from '../reading/fields.ts';
import { openPage, readJson, readSheet } from '../reading/page.ts';
import { type FoundTask, readTask } from '../reading/read-task.ts';
import { pairOf, type Sheet, type SheetMap, textOf, valueAt } from '../sheet/sheet.ts';

/** The text with the wanted changes. Of a story's state only `passes` is written: reviews are not decided here. */
export async function editStories(text: string, _plan: Plan, { changed, added }: WantedPlan): Promise<string> {
  const map = await readSheet(openPage('', text), []);
  const list = map === null ? null : pairOf(map, 'userStories');
  if (map === null || list?.value.kind !== 'list') throw new Error('The plan was readable a moment ago.');
  const changes = list.value.items.flatMap((story) => {
    const id = story.kind === 'map' ? pairOf(story, 'id')?.value : undefined;
    const change = id === undefined ? undefined : changed.get(textOf(id) ?? '');
    return change === undefined || story.kind !== 'map' ? [] : changesOf(text, story, change);
  });
  return applyChanges(text, added.length === 0 ? changes : [...changes, addItems(text, map, list, added.map(storyOf))]);
}

function changesOf(text: string, story: SheetMap, { status, fields }: WantedChange): readonly Change[] {
  const { description, ...others } = fields;
  const news: Field[] = Object.entries(others).map(([key, value]) => ({ key, value: value as FieldValue }));
  if (description !== undefined) news.push(...describing(description));
  if (status !== null) news.push({ key: 'passes', value: status.status === 'complete' });
  return news.map((field) => setField(text, story, field));
}

/** A description is read together with its criteria, so they are separated again here. */
function describing(text: string): readonly Field[] {
  const parts = withoutCriteria(text);
  if (parts === null) return [{ key: 'description', value: text }];
  return [
    { key: 'description', value: parts.description },
    { key: 'acceptanceCriteria', value: parts.criteria },
  ];
}

function storyOf(task: PlanTask): readonly Field[] {
  const common = fieldsOf(task).filter(({ key }) => key !== 'description' && key !== 'status');
  return [...common, ...describing(task.description), { key: 'passes', value: task.status === 'complete' }, { key: 'dependsOn', value: task.needs }];
}

/** Parses `tasks.json`: user stories with their criteria; one that passes is complete. */
export async function draftStories(file: string, text: string): Promise<Drafted> {
  const page = openPage(file, text);
  const problems: PlanProblem[] = [];
  const map = await readJson(page, problems);
  if (map === null) return { draft: null, problems };
  const fields: Fields = { page, map, task: null, problems };
  const stories = pairOf(map, 'userStories')?.value;
  if (stories?.kind !== 'list') {
    complain(fields, stories?.start ?? map.start, stories === undefined ? 'there is no list "userStories"' : '"userStories" must be a list');
    return { draft: null, problems };
  }
  const found = stories.items.map((story) => readStory(fields, story)).filter((task) => task !== null);
  const draft = {
    project: textField(fields, 'project', 'name') ?? '',
    verify: textsField(fields, 'verifyCommands').map(({ id }) => id),
    tasks: found,
    stories: [],
    milestones: [],
    arrows: found.flatMap(({ arrows }) => arrows),
    problems,
  };
  return { draft, problems };
}

function readStory({ page, problems }: Fields, story: Sheet): FoundTask | null {
  const found = readTask(page, story, problems);
  if (found === null || story.kind !== 'map') return null;
  const fields: Fields = { page, map: story, task: found.task.id, problems };
  const criteria = textsField(fields, 'acceptanceCriteria').map(({ id }) => id);
  const task: PlanTask = {
    ...found.task,
    description: withCriteria(found.task.description, criteria),
    status: passes(fields) ? 'complete' : 'pending',
  };
  return { ...found, task };
}

function passes(fields: Fields): boolean {
  const value = valueAt(fields.map, 'passes');
  if (value === null) return false;
  if (value.kind === 'text' && typeof value.value === 'boolean') return value.value;
  complain(fields, value.start, '"passes" must be true or false');
  return false;
}

const HEADING = 'Acceptance criteria:';
const MARK = `\n\n${HEADING}\n`;

/** The description of a story and its criteria, as one text. */
function withCriteria(description: string, criteria: readonly string[]): string {
  if (criteria.length === 0) return description;
  return `${description}${MARK}${criteria.map((text) => `- ${text.replaceAll(/\s*\n\s*/g, ' ')}`).join('\n')}`.trimStart();
}

/** The inverse. Null: there are no criteria in it. */
function withoutCriteria(text: string): { readonly description: string; readonly criteria: readonly string[] } | null {
  const padded = text.startsWith(HEADING) ? `\n\n${text}` : text;
  const at = padded.lastIndexOf(MARK);
  const lines = at < 0 ? [] : padded.slice(at + MARK.length).split('\n');
  if (lines.length === 0 || lines.some((line) => !line.startsWith('- '))) return null;
  return { description: padded.slice(0, at), criteria: lines.map((line) => line.slice(2)) };
}
