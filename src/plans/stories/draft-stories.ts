import type { PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import type { Drafted } from '../plan-form.ts';
import { complain, type Fields, textField, textsField } from '../reading/fields.ts';
import { openPage } from '../reading/page.ts';
import { readSheet } from '../reading/read-sheet.ts';
import { type FoundTask, readTask } from '../reading/read-task.ts';
import { pairOf, type Sheet, valueAt } from '../sheet/sheet.ts';
import { withCriteria } from './criteria.ts';
import { whyNoJson } from './why-no-json.ts';

/** Reads `tasks.json`: user stories with their criteria; one that passes is complete. */
export async function draftStories(file: string, text: string): Promise<Drafted> {
  const page = openPage(file, text);
  const problems: PlanProblem[] = [];
  const trouble = whyNoJson(text);
  if (trouble !== null) return { draft: null, problems: [{ file, line: trouble.line, message: trouble.message, task: null }] };
  const map = await readSheet(page, problems);
  if (map === null) return { draft: null, problems };
  const fields: Fields = { page, map, task: null, problems };
  const stories = pairOf(map, 'userStories')?.value;
  if (stories?.kind !== 'list') {
    complain(fields, stories?.start ?? map.start, stories === undefined ? 'there is no list "userStories"' : '"userStories" must be a list');
    return { draft: null, problems };
  }
  const found = stories.items.map((story) => readStory(fields, story)).filter((task) => task !== null);
  const draft = {
    project: textField(fields, 'project') ?? '',
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
