import type { Plan, PlanGroup, PlanProblem } from '../../journal/words/plan.ts';
import { findCycles } from '../../kit/pure/find-cycles.ts';
import type { Arrow, Draft, DraftGroup, DraftTask, Mention } from './draft.ts';
import { problemAt } from './page.ts';

export interface Assembled {
  /** Null when two tasks have the same id. */
  readonly plan: Plan | null;
  readonly problems: readonly PlanProblem[];
}

/** Validates a draft as a whole and makes a plan of it. Reports all problems, not only the first. */
export function assemble(draft: Draft): Assembled {
  const problems = [...draft.problems];
  const tasks = new Map<string, DraftTask>();
  const needs = new Map<string, string[]>();
  let isUnique = true;
  for (const found of draft.tasks) {
    const { id } = found.task;
    const first = tasks.get(id);
    if (first === undefined) tasks.set(id, found);
    else {
      isUnique = false;
      problems.push(problemAt(found.spot, `duplicate id "${id}": it is there already in ${placeOf(first, found)}`, id));
    }
  }
  for (const arrow of draft.arrows) if (isArrow(arrow, tasks, problems)) addTo(needs, arrow.to.id, arrow.from.id);
  tellCycles(tasks, needs, problems);
  tellGroups(draft, tasks, problems);
  const members = membersOf(draft.milestones);
  const planned = [...tasks.values()].map(({ task }) => ({
    ...task,
    needs: [...new Set(needs.get(task.id))],
    milestones: withOthers(task.milestones, members.get(task.id)),
  }));
  const plan: Plan = {
    project: draft.project,
    tasks: planned,
    stories: groups(
      draft.stories,
      planned.flatMap(({ story }) => (story === null ? [] : [story])),
    ),
    milestones: groups(
      draft.milestones,
      planned.flatMap(({ milestones }) => milestones),
    ),
    verify: draft.verify,
  };
  return { plan: isUnique ? plan : null, problems };
}

function placeOf({ spot }: DraftTask, other: DraftTask): string {
  const line = `line ${spot.page.lineOf(spot.offset)}`;
  return spot.page.file === other.spot.page.file ? line : `${spot.page.file}, ${line}`;
}

function isArrow({ from, to, owner }: Arrow, tasks: ReadonlyMap<string, DraftTask>, problems: PlanProblem[]): boolean {
  if (from.id !== to.id && tasks.has(from.id) && tasks.has(to.id)) return true;
  const unknown = [from, to].filter(({ id }) => !tasks.has(id));
  for (const mention of unknown) problems.push(problemAt(mention, `unknown task "${mention.id}"`, owner));
  if (unknown.length === 0) problems.push(problemAt(from.offset > to.offset ? from : to, `task ${from.id} cannot depend on itself`, from.id));
  return false;
}

/** In the direction of the work: what must be complete first comes first. */
function tellCycles(tasks: ReadonlyMap<string, DraftTask>, needs: ReadonlyMap<string, readonly string[]>, problems: PlanProblem[]): void {
  const none: readonly string[] = [];
  for (const cycle of findCycles(tasks.keys(), (name) => needs.get(name) ?? none)) {
    const forwards = [...cycle].reverse();
    const first = tasks.get(forwards[0] ?? '');
    if (first !== undefined) problems.push(problemAt(first.spot, `Dependency cycle detected: ${shown(forwards)}`, first.task.id));
  }
}

const MOST_SHOWN = 20;

function shown(cycle: readonly string[]): string {
  if (cycle.length <= MOST_SHOWN) return cycle.join(' → ');
  const left = cycle.length - MOST_SHOWN;
  return [...cycle.slice(0, MOST_SHOWN - 1), `(${left} more)`, cycle.at(-1)].join(' → ');
}

function tellGroups({ stories, milestones, tasks }: Draft, known: ReadonlyMap<string, DraftTask>, problems: PlanProblem[]): void {
  const ofStories = tasks.flatMap(({ task, spot }) => (task.story === null ? [] : [{ id: task.story, ...spot, owner: task.id }]));
  const ofMilestones = tasks.flatMap(({ task, spot }) => task.milestones.map((id) => ({ id, ...spot, owner: task.id })));
  problems.push(...groupProblems('story', stories, ofStories), ...groupProblems('milestone', milestones, ofMilestones));
  const strangers = milestones.flatMap((milestone) => milestone.tasks).filter(({ id }) => !known.has(id));
  problems.push(...strangers.map((mention) => problemAt(mention, `unknown task "${mention.id}"`)));
}

/** Groups need not be listed where no list exists. */
function groupProblems(word: string, listed: readonly DraftGroup[], named: readonly (Mention & { readonly owner: string })[]): readonly PlanProblem[] {
  const ids = new Set<string>();
  const twice = listed.filter(({ id }) => ids.size === ids.add(id).size);
  const unknown = ids.size === 0 ? [] : named.filter(({ id }) => !ids.has(id));
  return [
    ...twice.map(({ id, spot }) => problemAt(spot, `duplicate id "${id}" of a ${word}`)),
    ...unknown.map((mention) => problemAt(mention, `unknown ${word} "${mention.id}"`, mention.owner)),
  ];
}

/** The listed groups, then those that only tasks name. */
function groups(listed: readonly DraftGroup[], named: readonly string[]): readonly PlanGroup[] {
  const found = new Map<string, PlanGroup>();
  for (const { id, title, path } of listed) if (!found.has(id)) found.set(id, { id, title, path });
  for (const id of named) if (!found.has(id)) found.set(id, { id, title: id, path: null });
  return [...found.values()];
}

function membersOf(milestones: readonly DraftGroup[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const { id, tasks } of milestones) for (const task of tasks) addTo(members, task.id, id);
  return members;
}

const withOthers = (own: readonly string[], others: readonly string[] | undefined) => (others === undefined ? [...own] : [...new Set([...own, ...others])]);

function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
