import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import type { Change } from '../editing/changes.ts';
import { ownPair, setField } from '../editing/set-field.ts';
import { inYaml } from '../editing/words.ts';
import type { Sheet, SheetMap, SheetPair } from '../sheet/sheet.ts';

/** What `meta` counts, as far as it does: a key that is not there is not added, but what a count is missing is. */
export function recountMeta(text: string, meta: SheetMap, { stories, milestones }: Plan, tasks: readonly PlanTask[]): readonly Change[] {
  const totals = { total_stories: stories.length, total_tasks: tasks.length, total_milestones: milestones.length };
  const counts = {
    by_status: groupedBy(tasks, ({ status }) => [status.replaceAll('-', '_')]),
    by_priority: groupedBy(tasks, ({ priority }) => [String(priority)]),
    by_milestone: groupedBy(tasks, (task) => task.milestones),
  };
  return [
    ...Object.entries(totals).flatMap(([key, total]) => recountNumber(text, meta, key, total)),
    ...Object.entries(counts).flatMap(([key, groups]) => recountGroups(text, ownPair(meta, key), groups, key === 'by_milestone')),
  ];
}

type Groups = ReadonlyMap<string, readonly string[]>;

function groupedBy(tasks: readonly PlanTask[], namesOf: (task: PlanTask) => readonly string[]): Groups {
  const groups = new Map<string, string[]>();
  for (const task of tasks) {
    for (const name of namesOf(task)) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [task.id]);
      else group.push(task.id);
    }
  }
  return groups;
}

function recountNumber(text: string, map: SheetMap, key: string, count: number): readonly Change[] {
  const value = ownPair(map, key)?.value;
  return value === undefined || (value.kind === 'text' && value.value === count) ? [] : [setField(text, map, { key, value: count })];
}

/** The ids of each group where the file lists ids, else how many there are. */
function recountGroups(text: string, pair: SheetPair | null, groups: Groups, isListed: boolean): readonly Change[] {
  const map = pair?.value;
  if (map?.kind !== 'map') return [];
  const missing = [...groups].filter(([key]) => ownPair(map, key) === null);
  const recount = (key: string, ids: readonly string[], value: Sheet | null): readonly Change[] => {
    const news = value?.kind === 'list' || (value === null && isListed) ? ids : ids.length;
    return value !== null && saysSame(value, news) ? [] : [setField(text, map, { key, value: news })];
  };
  if (map.pairs.length === 0) return missing.length === 0 ? [] : [{ start: map.start, end: map.end, text: inBraces(missing, isListed) }];
  return [
    ...map.pairs.flatMap(({ key, value, isOwn }) => (isOwn ? recount(key, groups.get(key) ?? [], value) : [])),
    ...missing.flatMap(([key, ids]) => recount(key, ids, null)),
  ];
}

function saysSame(value: Sheet, news: number | readonly string[]): boolean {
  if (typeof news === 'number') return value.kind === 'text' && value.value === news;
  const ids = value.kind === 'list' ? value.items.map((item) => (item.kind === 'text' ? String(item.value) : '')) : [];
  return value.kind === 'list' && ids.length === news.length && new Set([...ids, ...news]).size === news.length;
}

function inBraces(groups: readonly (readonly [string, readonly string[]])[], isListed: boolean): string {
  return `{ ${groups.map(([key, ids]) => `${inYaml(key)}: ${inYaml(isListed ? ids : ids.length)}`).join(', ')} }`;
}
