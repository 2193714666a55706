import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { addItems } from '../editing/add-item.ts';
import { applyChanges, type Change } from '../editing/changes.ts';
import { type Field, ownPair, setField } from '../editing/set-field.ts';
import { fieldsOf, several, statusChanges } from '../editing/task-fields.ts';
import type { Wanted } from '../editing/wanted.ts';
import type { FieldValue } from '../editing/words.ts';
import { openPage } from '../reading/page.ts';
import { readSheet } from '../reading/read-sheet.ts';
import { pairOf, type SheetMap, textOf } from '../sheet/sheet.ts';
import { recountMeta } from './recount-meta.ts';

/** The text with the wanted changes in it, and with the date and the counts that follow from them. */
export async function editTaskGraph(text: string, plan: Plan, wanted: Wanted): Promise<string> {
  const map = await readSheet(openPage('', text), []);
  if (map === null) throw new Error('The plan was readable a moment ago.');
  const meta = ownPair(map, 'meta')?.value;
  return applyChanges(text, [
    ...changesOfNodes(text, map, wanted),
    ...additions(text, map, wanted.added),
    ...dateChange(text, map, wanted.atMs),
    ...(meta?.kind === 'map' ? recountMeta(text, meta, plan, wanted.tasks) : []),
  ]);
}

function changesOfNodes(text: string, map: SheetMap, { changed }: Wanted): readonly Change[] {
  const nodes = pairOf(map, 'nodes')?.value;
  const items = nodes?.kind === 'list' ? nodes.items : [];
  return items.flatMap((node) => {
    const id = node.kind === 'map' ? idIn(node) : null;
    const change = id === null ? undefined : changed.get(id);
    if (change === undefined || node.kind !== 'map') return [];
    const fields = Object.entries(change.fields).map(([key, value]) => setField(text, node, { key, value: value as FieldValue }));
    return change.status === null ? fields : [...fields, ...statusChanges(text, node, change.status)];
  });
}

function idIn(node: SheetMap): string | null {
  const value = pairOf(node, 'id')?.value;
  return value === undefined ? null : textOf(value);
}

/** What a new task needs stands with the edges where there are any, else with itself. */
function additions(text: string, map: SheetMap, added: readonly PlanTask[]): readonly Change[] {
  const nodes = ownPair(map, 'nodes');
  if (nodes === null || added.length === 0) return [];
  const edges = ownPair(map, 'edges');
  const news =
    edges === null
      ? []
      : added.flatMap(({ id, needs }) =>
          needs.map((need): readonly Field[] => [
            { key: 'from', value: need },
            { key: 'to', value: id },
          ]),
        );
  const items = added.map((task) => [...fieldsOf(task), ...(edges === null ? several('depends_on', task.needs) : [])]);
  return [addItems(text, map, nodes, items), ...(edges === null || news.length === 0 ? [] : [addItems(text, map, edges, news)])];
}

function dateChange(text: string, map: SheetMap, atMs: number | null): readonly Change[] {
  if (atMs === null || ownPair(map, 'last_updated') === null) return [];
  return [setField(text, map, { key: 'last_updated', value: new Date(atMs).toISOString().slice(0, 10) })];
}
