import type { PlanProblem } from '../../journal/words/plan.ts';
import type { Drafted } from '../plan-form.ts';
import { openPage } from '../reading/page.ts';
import { readSheet } from '../reading/read-sheet.ts';
import { type FoundTask, readTask } from '../reading/read-task.ts';
import type { SourceFile } from '../reading/source-file.ts';
import { valueAt } from '../sheet/sheet.ts';
import { descriptionIn, titleIn } from './description.ts';
import { bodyOf, splitTicket } from './front-matter.ts';

/** Reads tickets: the front matter says what a task is, the text what it is about. A ticket that cannot be read keeps no other from being read. */
export async function draftTickets(files: readonly SourceFile[], folder: string): Promise<Drafted> {
  const problems: PlanProblem[] = [];
  const found: FoundTask[] = [];
  for (const file of files) {
    const task = await readTicket(file, problems);
    if (task !== null) found.push(task);
  }
  if (files[0]?.path === folder) return { draft: null, problems };
  const draft = { project: '', verify: [], tasks: found, stories: [], milestones: [], arrows: found.flatMap(({ arrows }) => arrows), problems };
  return { draft, problems };
}

async function readTicket({ path, text, why }: SourceFile, problems: PlanProblem[]): Promise<FoundTask | null> {
  const ticket = text === null ? why : splitTicket(text);
  if (ticket === null || typeof ticket === 'string') {
    const message = ticket === 'unclosed' ? 'its front matter does not end: a line --- is missing' : why;
    problems.push({ file: path, line: text === null ? null : 1, message, task: null });
    return null;
  }
  const page = openPage(path, ticket.matter, 2);
  const map = await readSheet(page, problems);
  const found = map === null ? null : readTask(page, map, problems);
  if (map === null || found === null) return null;
  const body = bodyOf(ticket);
  const { start, end } = descriptionIn(body);
  const title = valueAt(map, 'title') === null ? titleIn(body, found.task.id) : found.task.title;
  return { ...found, task: { ...found.task, title, description: body.slice(start, end).replaceAll('\r\n', '\n'), path } };
}
