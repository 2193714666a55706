import type { PlanProblem } from '../../journal/words/plan.ts';
import type { Drafted } from '../plan-form.ts';
import type { Arrow, DraftGroup, Mention } from '../reading/draft.ts';
import { complain, type Fields, namesField, textField, textsField } from '../reading/fields.ts';
import { openPage, type Page, problemAt } from '../reading/page.ts';
import { readSheet } from '../reading/read-sheet.ts';
import { type FoundTask, idOf, readTask } from '../reading/read-task.ts';
import { pairOf, type Sheet, type SheetMap, textOf, valueAt } from '../sheet/sheet.ts';

/** Reads `task-graph.yaml`: nodes and the edges between them, with the stories and milestones they belong to. */
export async function draftTaskGraph(file: string, text: string): Promise<Drafted> {
  const page = openPage(file, text);
  const problems: PlanProblem[] = [];
  const map = await readSheet(page, problems);
  if (map === null) return { draft: null, problems };
  const fields: Fields = { page, map, task: null, problems };
  const nodes = listOf(fields, 'nodes');
  if (nodes === null) {
    if (pairOf(map, 'nodes') === null) complain(fields, map.start, 'there is no list "nodes"');
    return { draft: null, problems };
  }
  const found = nodes.map((node) => readNode(page, node, problems)).filter((task) => task !== null);
  const draft = {
    project: textField(fields, 'project') ?? '',
    verify: textsField(fields, 'verify').map(({ id }) => id),
    tasks: found,
    stories: groupsOf(fields, 'stories'),
    milestones: groupsOf(fields, 'milestones'),
    arrows: [...found.flatMap(({ arrows }) => arrows), ...edgesOf(fields)],
    problems,
  };
  return { draft, problems };
}

/** Its state is written into it, so it must stand there itself. */
function readNode(page: Page, node: Sheet, problems: PlanProblem[]): FoundTask | null {
  if (page.text[node.start] !== '*') return readTask(page, node, problems);
  problems.push(problemAt({ page, offset: node.start }, 'a task must be written out: it cannot be an alias'));
  return null;
}

/** Null when there is none. Nothing behind the key is a list without items. */
function listOf(fields: Fields, key: string): readonly Sheet[] | null {
  const value = pairOf(fields.map, key)?.value;
  if (value === undefined) return null;
  if (value.kind === 'list') return value.items;
  if (value.kind === 'text' && value.value === null) return [];
  complain(fields, value.start, `"${key}" must be a list`);
  return null;
}

function groupsOf(fields: Fields, key: string): readonly DraftGroup[] {
  const { page, problems } = fields;
  return (listOf(fields, key) ?? []).flatMap((sheet) => {
    if (sheet.kind !== 'map') {
      complain(fields, sheet.start, `"${key}" must be a list of maps with an "id"`);
      return [];
    }
    const own: Fields = { page, map: sheet, task: null, problems };
    const id = idOf(own);
    if (id === null) return [];
    return [{ id, title: textField(own, 'title') ?? id, path: textField(own, 'path'), spot: { page, offset: sheet.start }, tasks: namesField(own, 'tasks') }];
  });
}

function edgesOf(fields: Fields): readonly Arrow[] {
  return (listOf(fields, 'edges') ?? []).flatMap((edge) => {
    const from = edge.kind === 'map' ? endOf(fields.page, edge, 'from') : null;
    const to = edge.kind === 'map' ? endOf(fields.page, edge, 'to') : null;
    if (from !== null && to !== null) return [{ from, to, owner: null }];
    complain(fields, edge.start, 'an edge must be a map with a "from" and a "to"');
    return [];
  });
}

function endOf(page: Page, edge: SheetMap, key: 'from' | 'to'): Mention | null {
  const value = valueAt(edge, key);
  const id = value === null ? null : textOf(value);
  return value === null || id === null ? null : { id, page, offset: value.start };
}
