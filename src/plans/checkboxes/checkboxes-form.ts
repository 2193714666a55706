import { basename } from 'node:path';
import type { Plan, PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import { applyChanges, lineEndOf } from '../editing/changes.ts';
import type { WantedPlan } from '../editing/wanted-plan.ts';
import { boxOf, headingOf, type Item, itemOf, listItems, type MarkdownLine, markdownLines } from '../markdown/markdown-items.ts';
import { bodyLines, changesOf, extraOf, placedTasks, type ReadTitle, readPlaced } from '../markdown/markdown-tasks.ts';
import { type Drafted, doneOrNot, oneFilePlan, type PlanForm } from '../plan-form.ts';
import { openPage, problemAt } from '../reading/page.ts';
import { digestOf } from '../reading/source-file.ts';

/** A Markdown file with checkboxes: a TODO.md, a fix_plan.md, a plan with sections `### Task 1`. The order of the file is the order of the work. */
export const checkboxesForm: PlanForm = {
  kind: 'checkboxes',
  called: 'a Markdown file with checkboxes',
  usualPaths: ['fix_plan.md', '.ralph/fix_plan.md', 'IMPLEMENTATION_PLAN.md', 'docs/plans/*.md'],
  rank: 3,
  namesInFolder: ['*.md'],
  recognises({ path, text, isFolder }, isNamed) {
    if (isFolder || !/\.(?:md|markdown)$/i.test(path)) return false;
    const content = text() ?? '';
    if (/^\ufeff?---\s*\n(?:.*\n)*?id:/.test(content.slice(0, 2000))) return false;
    const lines = markdownLines(content);
    if (isNamed) return lines.some((line) => boxOf(line) !== null) || headingItems(content, lines).length > 0 || /^(?:todo|.*plan)\.md$/i.test(basename(path));
    return itemsIn(content, lines).some(({ isDone }) => !isDone);
  },
  isReviewed: false,
  open: oneFilePlan({ draft: draftCheckboxes, edit: editCheckboxes, nearest: doneOrNot }),
};

/** Where tasks are sections, checkboxes elsewhere are not tasks. */
function itemsIn(text: string, lines: readonly MarkdownLine[]): readonly Item[] {
  const sections = headingItems(text, lines);
  return sections.length > 0 ? sections : listItems(text, lines);
}

const OWN_ID = /^(?:\*\*|\[)?([A-Z][A-Z0-9]*-\d+|T\d{2,})(?:\*\*:?|\]|:)\s+(?=\S)/;

/** `AUTH-12: Add a login form` has an id; any other title makes one. */
function readTitle(words: string): ReadTitle {
  const [lead = '', id] = OWN_ID.exec(words) ?? [];
  return { id: id ?? titleId(words), at: lead.length, story: null };
}

async function draftCheckboxes(file: string, text: string): Promise<Drafted> {
  const page = openPage(file, text);
  const problems: PlanProblem[] = [];
  const lines = markdownLines(text);
  const items = itemsIn(text, lines);
  for (const item of items.filter(({ marks }) => marks.length === 0))
    problems.push(problemAt({ page, offset: item.start }, 'this task has no checkbox to tick: write its steps as "- [ ] step" below it'));
  const placed = await placedTasks(page, items, readTitle, problems);
  const tasks = placed.flatMap((each) => readPlaced(page, each, problems) ?? []);
  const arrows = tasks.flatMap((task) => task.arrows);
  return { draft: { project: '', verify: validationCommands(lines), tasks, stories: [], milestones: [], arrows, problems }, problems };
}

/** The text with the wanted changes. New tasks come behind the last one, written as it is. */
async function editCheckboxes(text: string, _plan: Plan, { changed, added }: WantedPlan): Promise<string> {
  const lines = markdownLines(text);
  const items = itemsIn(text, lines);
  const placed = await placedTasks(openPage('', text), items, readTitle, []);
  const changes = changesOf(text, placed, readTitle, changed);
  if (added.length === 0) return applyChanges(text, changes);
  const last = items.at(-1);
  const at = last?.end ?? text.trimEnd().length;
  const eol = lineEndOf(text);
  const isSection = headingItems(text, lines).length > 0;
  const news = added.map((task, nth) => (isSection ? sectionOf(task, nextNumber(lines) + nth) : listItemOf(task, text, last)).join(eol));
  const gap = isSection || last === undefined ? `${eol}${eol}` : eol;
  const lead = at === 0 ? '' : gap;
  const tail = at === text.length ? eol : '';
  return applyChanges(text, [...changes, { start: at, end: at, text: `${lead}${news.join(isSection ? `${eol}${eol}` : eol)}${tail}` }]);
}

function listItemOf(task: PlanTask, text: string, last: Item | undefined): readonly string[] {
  const [lead = '- '] = /^\s*(?:[-*+]\s+)?/.exec(last === undefined ? '- ' : text.slice(last.start, last.title.start)) ?? [];
  const bullet = lead.trim() === '' ? `${lead}- ` : lead;
  const margin = ' '.repeat(bullet.length);
  return [`${bullet}[ ] ${oneLineTitle(task)}`, ...extraIn(task).map((line) => `${margin}${line}`), ...bodyLines(task.description, margin)].map(markedAs(task));
}

function sectionOf(task: PlanTask, number: number): readonly string[] {
  const body = bodyLines(task.description, '');
  return [`### [ ] Task ${number}: ${oneLineTitle(task)}`, ...extraIn(task), ...(body.length === 0 ? [] : ['', ...body])].map(markedAs(task));
}

const oneLineTitle = ({ title }: PlanTask) => title.replaceAll(/\s+/g, ' ').trim();

function extraIn(task: PlanTask): readonly string[] {
  const { id, at } = readTitle(oneLineTitle(task));
  return extraOf(task, task.needs.length === 0 ? null : task.needs, id === task.id && at === 0);
}

const markedAs =
  ({ status }: PlanTask) =>
  (line: string, index: number): string =>
    index === 0 && status === 'complete' ? line.replace('[ ]', '[x]') : line;

const TASK = /^(?:\[([ xX~/-])\]\s+)?(?:Task|Iteration)\s+(\d+(?:\.\d+)*)(?:\s*[:.)–—-]\s*(.*)|\s*)$/i;

/** Sections such as `### Task 3: Add a login form`. A section is done when all its checkboxes are ticked; it may have one of its own in its heading. */
function headingItems(text: string, lines: readonly MarkdownLine[]): readonly Item[] {
  return lines.flatMap((line, at) => {
    const heading = headingOf(line);
    const [, mark, number, words] = heading === null ? [] : (TASK.exec(heading.words) ?? []);
    if (heading === null || number === undefined || heading.rank === 1) return [];
    const markAt = line.start + line.text.indexOf('[') + 1;
    const wordsAt = words ? line.start + line.text.lastIndexOf(words) : line.end;
    const own = mark === undefined ? null : { markAt, mark };
    const title = { start: wordsAt, end: wordsAt + (words ?? '').length };
    return [itemOf(text, { line, inside: section(lines, at, heading.rank), title, own, margin: '', heading: '' })];
  });
}

/** The lines up to the next heading of its rank, without empty lines and rulers at the end. */
function section(lines: readonly MarkdownLine[], at: number, rank: number): readonly MarkdownLine[] {
  const after = lines.slice(at + 1);
  const next = after.findIndex((line) => (headingOf(line)?.rank ?? 7) <= rank);
  const own = next < 0 ? after : after.slice(0, next);
  const last = own.findLastIndex(({ text, kind }) => kind !== 'empty' && !/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(text));
  return own.slice(0, last + 1);
}

/** The commands of a section `Validation Commands`: they must be green for every task. */
function validationCommands(lines: readonly MarkdownLine[]): readonly string[] {
  const at = lines.findIndex((line) => /^validation commands$/i.test(headingOf(line)?.words ?? ''));
  const head = lines[at];
  const rank = head === undefined ? null : (headingOf(head)?.rank ?? null);
  if (rank === null) return [];
  return section(lines, at, rank).flatMap(({ text, kind }) => (kind === 'text' ? (/^\s*[-*+]\s+(?:\[.\]\s+)?`([^`]+)`/.exec(text)?.[1] ?? []) : []));
}

/** The number for a section that is added behind the others. */
function nextNumber(lines: readonly MarkdownLine[]): number {
  const numbers = lines.map((line) => Number.parseInt(TASK.exec(headingOf(line)?.words ?? '')?.[2] ?? '0', 10));
  return Math.max(0, ...numbers) + 1;
}

const LONGEST = 48;

/** An id for a task that has only words: it stays the same wherever the task is moved in its file, and whatever is added before it. */
function titleId(title: string): string {
  const ascii = title.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '');
  const words = ascii.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const whole = words.join('-');
  if (whole !== '' && whole.length <= LONGEST && !/[^\p{ASCII}\p{P}\p{S}]/u.test(ascii)) return whole;
  return `${cut(words) || 'task'}-${digestOf(title).slice(0, 6)}`;
}

function cut(words: readonly string[]): string {
  let short = '';
  for (const word of words) {
    if (short.length + word.length > LONGEST - 8) break;
    short = short === '' ? word : `${short}-${word}`;
  }
  return short;
}
