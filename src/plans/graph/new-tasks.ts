import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { nameList, shortName, wordingProblem } from './obstacle-text.ts';
import { dependencyProblem } from './task-dependencies.ts';
import { isPlainId } from './task-slug.ts';

/** The most tasks that one attempt may add. Larger plans are a person's decision. */
const MOST_ADDED = 200;
const MOST_ITEMS = 50;
const LONGEST_ITEM = 2000;

export interface NewTasks {
  readonly added: readonly PlanTask[];
  /** A sentence for each task that was refused. */
  readonly refused: readonly string[];
}

/** The tasks that may be added to a plan, in the given order, each as pending. Each needs a valid new id, and all its needs must exist. */
export function newTasks(plan: Plan, candidates: readonly PlanTask[]): NewTasks {
  const problemOf = sanity(plan);
  const looked = candidates.slice(0, MOST_ADDED).map((task) => ({ task, problem: problemOf(task) }));
  const sane = looked.flatMap(({ task, problem }) => (problem === null ? [task] : []));
  const reachable = withTheirNeeds(plan, sane);
  const needs = new Map(sane.map((task) => [task.id, task.needs]));
  const lost = sane.filter((task) => !reachable.has(task.id));
  return {
    added: sane.filter((task) => reachable.has(task.id)).map(({ may_change: _, runs_on: __, ...task }) => ({ ...task, status: 'pending' })),
    refused: [
      ...looked.flatMap(({ task, problem }) => (problem === null ? [] : [notAdded(task, problem)])),
      ...(['may_change', 'runs_on'] as const).flatMap((key) =>
        sane
          .filter((task) => reachable.has(task.id) && task[key] !== undefined)
          .map((task) => `${shortName(task.id)} has lost its ${key}: only a person may set it.`),
      ),
      ...lost.map((task) => notAdded(task, dependencyProblem(task.id, needs) ?? missingNeeds(plan, task, reachable))),
      ...(candidates.length > MOST_ADDED ? [`Only ${MOST_ADDED} tasks may be added at once; ${candidates.length - MOST_ADDED} were ignored.`] : []),
    ],
  };
}

const notAdded = (task: PlanTask, why: string) => `${shortName(task.id) || 'A task without an id'} was not added: ${why}.`;

function missingNeeds(plan: Plan, task: PlanTask, reachable: ReadonlySet<string>): string {
  const known = new Set(plan.tasks.map(({ id }) => id));
  return `it needs ${nameList(task.needs.filter((need) => !known.has(need) && !reachable.has(need)))}, which is not in the plan`;
}

/** The ids whose needs are all in the plan or, in the end, among these tasks. The others need something missing, or are in a cycle. */
function withTheirNeeds(plan: Plan, tasks: readonly PlanTask[]): ReadonlySet<string> {
  const known = new Set(plan.tasks.map((task) => task.id));
  const added = new Set<string>();
  let before = -1;
  while (added.size > before) {
    before = added.size;
    for (const task of tasks) if (task.needs.every((need) => known.has(need) || added.has(need))) added.add(task.id);
  }
  return added;
}

/** Validates one task after the other, and remembers their ids. */
function sanity(plan: Plan): (task: PlanTask) => string | null {
  const taken = new Set(plan.tasks.map((task) => task.id.toLowerCase()));
  const groups = groupsOf(plan);
  return (task) => {
    const problem =
      idProblem(task.id, taken) ?? stateProblem(task) ?? wordingProblem(task) ?? groupProblem(task, groups) ?? listProblem(task) ?? pathProblem(task);
    taken.add(task.id.toLowerCase());
    return problem;
  };
}

/** Ids that differ only in case would share a folder on some disks. */
function idProblem(id: string, taken: ReadonlySet<string>): string | null {
  if (!isPlainId(id)) return 'an id has only letters, digits and "_", with single "." or "-" between them, and at most 80 of them';
  return taken.has(id.toLowerCase()) ? 'another task has that id' : null;
}

function stateProblem({ status, priority }: PlanTask): string | null {
  if (status !== 'pending' && status !== 'ready') return `a new task begins as pending, not as ${status}`;
  return Number.isFinite(priority) ? null : 'its priority is not a number';
}

interface Groups {
  readonly stories: ReadonlySet<string>;
  readonly milestones: ReadonlySet<string>;
}

function groupsOf(plan: Plan): Groups {
  return {
    stories: new Set([...plan.stories.map(({ id }) => id), ...plan.tasks.flatMap(({ story }) => (story === null ? [] : [story]))]),
    milestones: new Set([...plan.milestones.map(({ id }) => id), ...plan.tasks.flatMap((task) => task.milestones)]),
  };
}

function groupProblem({ story, milestones }: PlanTask, groups: Groups): string | null {
  if (story !== null && !groups.stories.has(story)) return `there is no story ${shortName(story)}`;
  const unknown = milestones.filter((milestone) => !groups.milestones.has(milestone));
  return unknown.length === 0 ? null : `there is no milestone ${nameList(unknown)}`;
}

function listProblem({ needs, outputs, verify, milestones }: PlanTask): string | null {
  const lists = [needs, outputs, verify, milestones];
  if (lists.some((list) => list.length > MOST_ITEMS)) return `it has more than ${MOST_ITEMS} needs, outputs, verify commands or milestones`;
  return lists.flat().some((item) => item.length > LONGEST_ITEM) ? `one of its paths or commands is longer than ${LONGEST_ITEM} characters` : null;
}

function pathProblem({ outputs, path }: PlanTask): string | null {
  const outside = [...outputs, ...(path === null ? [] : [path])].find((file) => !isInside(file));
  return outside === undefined ? null : `${shortName(outside)} is not a path inside the work tree`;
}

const isInside = (path: string) => path.trim() !== '' && !/^[/\\~]|^[A-Za-z]:|\p{Cc}/u.test(path) && !path.split(/[/\\]/).includes('..');
