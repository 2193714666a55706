import type { Plan, PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import { applyChanges, lineEndOf } from '../editing/changes.ts';
import type { WantedPlan } from '../editing/wanted-plan.ts';
import { listItems, markdownLines } from '../markdown/markdown-items.ts';
import { bodyLines, changesOf, extraOf, type PlacedTask, placedTasks, type ReadTitle, readPlaced } from '../markdown/markdown-tasks.ts';
import { type Drafted, doneOrNot, oneFilePlan, type PlanForm } from '../plan-form.ts';
import type { Arrow } from '../reading/draft.ts';
import { openPage, type Page } from '../reading/page.ts';
import { valueAt } from '../sheet/sheet.ts';

/** `tasks.md` of spec-kit: lines such as `- [ ] T012 [P] [US1] Create the model`, in phases. */
export const specKitForm: PlanForm = {
  kind: 'spec-kit',
  called: "spec-kit's tasks.md",
  usualPaths: ['specs/*/tasks.md', '.specify/specs/*/tasks.md'],
  rank: 2,
  namesInFolder: ['tasks.md'],
  recognises({ path, text, isFolder }, isNamed) {
    if (isFolder || !/\.md$/i.test(path)) return false;
    const marks = [...(text() ?? '').matchAll(LINE)].map((found) => found[1]);
    return isNamed ? marks.length > 0 : marks.includes(' ');
  },
  isReviewed: false,
  open: oneFilePlan({ draft: draftSpecKit, edit: editSpecKit, nearest: doneOrNot }),
};

const LINE = /^[ \t]*[-*+] \[([ xX])\] (?:\*\*)?T\d{3,}\b/gm;
const TITLE = /^(?:\*\*)?(T\d{3,})(?:\*\*)?:?\s+(?:\[P\]\s*)?(?:\[(US\d+)\]\s*)?(?:\[P\]\s*)?/;

function readTitle(words: string): ReadTitle | null {
  const [lead, id, story] = TITLE.exec(words) ?? [];
  return lead === undefined || id === undefined ? null : { id, at: lead.length, story: story ?? null };
}

async function draftSpecKit(file: string, text: string): Promise<Drafted> {
  const page = openPage(file, text);
  const problems: PlanProblem[] = [];
  const placed = await placedTasks(page, listItems(text, markdownLines(text)), readTitle, problems);
  const tasks = placed.flatMap((each) => readPlaced(page, each, problems) ?? []);
  const arrows = [...tasks.flatMap((task) => task.arrows), ...orderOf(page, placed), ...placed.flatMap((each) => namedNeeds(page, each))];
  return { draft: { project: '', verify: [], tasks, stories: [], milestones: [], arrows, problems }, problems };
}

/**
 * Phases come one after the other. Inside of a phase, tasks marked [P] may be done at the same time; any other one waits for all before it. A task whose comment
 * says what it needs waits for nothing else.
 */
function orderOf(page: Page, placed: readonly PlacedTask[]): readonly Arrow[] {
  const arrows: Arrow[] = [];
  let barrier: readonly PlacedTask[] = [];
  let since: readonly PlacedTask[] = [];
  let phase = placed[0]?.item.heading;
  for (const each of placed) {
    if (each.item.heading !== phase && since.length > 0) [barrier, since] = [since, []];
    phase = each.item.heading;
    const waitsForAll = !isParallel(page, each) && !hasOwnNeeds(each);
    const needs = waitsForAll && since.length > 0 ? since : barrier;
    arrows.push(...(hasOwnNeeds(each) ? [] : needs).map((from) => arrow(page, from, each)));
    [barrier, since] = waitsForAll ? [[each], []] : [barrier, [...since, each]];
  }
  return arrows;
}

function arrow(page: Page, from: PlacedTask, to: PlacedTask): Arrow {
  return { from: { id: from.id, page, offset: from.item.start }, to: { id: to.id, page, offset: to.item.start }, owner: to.id };
}

function isParallel({ text }: Page, { item, titleAt }: PlacedTask): boolean {
  return text.slice(item.title.start, titleAt).includes('[P]');
}

function hasOwnNeeds({ extra }: PlacedTask): boolean {
  return extra !== null && valueAt(extra.map, 'needs') !== null;
}

/** `(depends on T012, T013)` in a title. */
function namedNeeds(page: Page, { item, id }: PlacedTask): readonly Arrow[] {
  const words = page.text.slice(item.title.start, item.title.end);
  const named = /\(depends on ([^)]*)\)/i.exec(words)?.[1]?.match(/\bT\d{3,}\b/g) ?? [];
  return named.map((from) => ({ from: { id: from, page, offset: item.start }, to: { id, page, offset: item.start }, owner: id }));
}

/** The text with the wanted changes. New tasks come behind the last one. */
async function editSpecKit(text: string, _plan: Plan, { changed, added }: WantedPlan): Promise<string> {
  const placed = await placedTasks(openPage('', text), listItems(text, markdownLines(text)), readTitle, []);
  const changes = changesOf(text, placed, readTitle, changed);
  if (added.length === 0) return applyChanges(text, changes);
  const at = placed.at(-1)?.item.end ?? text.trimEnd().length;
  const eol = lineEndOf(text);
  const lines = added.flatMap(linesOf).join(eol);
  return applyChanges(text, [...changes, { start: at, end: at, text: `${at === 0 ? '' : eol}${lines}${at === text.length ? eol : ''}` }]);
}

function linesOf(task: PlanTask): readonly string[] {
  const title = task.title.replaceAll(/\s+/g, ' ').trim();
  const mark = task.status === 'complete' ? 'x' : ' ';
  const isOwn = /^T\d{3,}$/.test(task.id) && readTitle(`${task.id} ${title}`)?.at === task.id.length + 1;
  return [
    `- [${mark}] ${isOwn ? `${task.id} ` : ''}${title}`,
    ...extraOf(task, task.needs, isOwn).map((line) => `  ${line}`),
    ...bodyLines(task.description, '  '),
  ];
}
