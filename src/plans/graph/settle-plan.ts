import type { Plan, PlanEdit, PlanTask } from '../../journal/words/plan.ts';
import { newTasks } from './new-tasks.ts';
import { nameList, sameList, shortName, type Wording, wordingOf, wordingProblem } from './obstacle-text.ts';

export interface Settlement {
  /** Whether the agent set its own task to complete: a claim like any other. */
  readonly claimed: boolean;
  readonly edits: readonly PlanEdit[];
  /** Accepted and refused edits, a sentence each. */
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

/** The most tasks that one attempt may reword. An agent that reformats a whole plan makes a mistake. */
const MOST_WORDED = 200;

/** One task before and after the agent's edits. */
interface Change {
  readonly was: PlanTask;
  readonly is: PlanTask;
}

/**
 * Decides which of an agent's edits of the plan are accepted. It may add tasks, and reword those that are not complete. It may not set a task's status except
 * to claim its own, remove tasks, or change priorities, needs, outputs, verify commands, may_change, runs_on, files, stories and milestones. `truth` is the plan that
 * its branch began with.
 */
export function settlePlan(truth: Plan, form: Plan | null, target: string): Settlement {
  if (form === null) return { claimed: false, edits: [], accepted: [], refused: [UNREADABLE] };
  const doubled = idsNamedTwice(form);
  const before = new Map(truth.tasks.map((task) => [task.id, task]));
  const after = new Map(form.tasks.map((task) => [task.id, task]));
  const changes = truth.tasks.flatMap((was): readonly Change[] => {
    const is = after.get(was.id);
    return is === undefined || doubled.has(was.id) ? [] : [{ was, is }];
  });
  const words = changes.map(({ was, is }) => ({ was, fields: wordingOf(was, is) })).filter(({ fields }) => Object.keys(fields).length > 0);
  const worded = words.filter(({ was, fields }) => was.status !== 'complete' && wordingProblem(fields) === null).slice(0, MOST_WORDED);
  const { added, refused } = newTasks(
    truth,
    form.tasks.filter((task) => !before.has(task.id) && !doubled.has(task.id) && task.id !== target),
  );
  return {
    claimed: !doubled.has(target) && before.get(target)?.status !== 'complete' && after.get(target)?.status === 'complete',
    edits: [...worded.map(({ was, fields }): PlanEdit => ({ kind: 'reword', id: was.id, fields })), ...added.map((task): PlanEdit => ({ kind: 'add', task }))],
    accepted: [
      ...worded.map(({ was, fields }) => `${shortName(was.id)} has a new ${Object.keys(fields).join(', ')}.`),
      ...added.map((task) => `${shortName(task.id)} was added: ${shortName(task.title)}`),
    ],
    refused: [
      ...twice([...doubled]),
      ...statesRefused(changes, target),
      ...tasksTakenOut(truth, form),
      ...fieldsRefused(changes),
      ...wordsRefused(words),
      ...refused,
      ...planRefused(truth, form),
    ],
  };
}

const UNREADABLE = 'Your copy of the plan cannot be read, so nothing in it was accepted: no new task, no wording, and no status.';

function idsNamedTwice(form: Plan): ReadonlySet<string> {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const { id } of form.tasks) (seen.has(id) ? again : seen).add(id);
  return again;
}

const twice = (ids: readonly string[]) => (ids.length === 0 ? [] : [`More than one task has the id ${nameList(ids)}: nothing was accepted from those.`]);

/** "In progress" is true for its own task while the agent works on it. */
function statesRefused(changes: readonly Change[], target: string): readonly string[] {
  const moved = changes.filter(({ was, is }) => was.status !== is.status);
  const others = moved.filter(({ was }) => was.id !== target).map(({ was }) => was.id);
  const own = moved.filter(({ was, is }) => was.id === target && is.status !== 'complete' && is.status !== 'in-progress');
  return [
    ...(others.length === 0 ? [] : [`You may not set the status of ${nameList(others)}: only the loop does, once it has checked the proof.`]),
    ...own.map(({ is }) => `Your own task ${shortName(target)} may be claimed as complete, but not set to ${is.status}.`),
  ];
}

function tasksTakenOut(truth: Plan, form: Plan): readonly string[] {
  const left = new Set(form.tasks.map((task) => task.id));
  const gone = truth.tasks.filter((task) => !left.has(task.id)).map((task) => task.id);
  return gone.length === 0 ? [] : [`You may not remove tasks from the plan: it keeps ${nameList(gone)}.`];
}

const sameSet = (a: readonly string[], b: readonly string[]) => sameList(a, b) || sameList([...new Set(a)].toSorted(), [...new Set(b)].toSorted());

/** Fields that only people may change, and how to tell whether they were changed. */
const locked: readonly (readonly [string, (change: Change) => boolean])[] = [
  ['priority', ({ was, is }) => was.priority === is.priority],
  ['needs', ({ was, is }) => sameSet(was.needs, is.needs)],
  ['verify commands', ({ was, is }) => sameList(was.verify, is.verify)],
  ['outputs', ({ was, is }) => sameList(was.outputs, is.outputs)],
  ['may_change', ({ was, is }) => sameList(was.may_change ?? [], is.may_change ?? [])],
  ['runs_on', ({ was, is }) => sameList(was.runs_on ?? [], is.runs_on ?? [])],
  ['file', ({ was, is }) => was.path === is.path],
  ['story', ({ was, is }) => was.story === is.story],
  ['milestones', ({ was, is }) => sameSet(was.milestones, is.milestones)],
];

function fieldsRefused(changes: readonly Change[]): readonly string[] {
  return locked.flatMap(([label, isSame]) => {
    const touched = changes.filter((change) => !isSame(change)).map(({ was }) => was.id);
    return touched.length === 0 ? [] : [`You may not change the ${label} of ${nameList(touched)}: the plan keeps what it had.`];
  });
}

function wordsRefused(words: readonly { readonly was: PlanTask; readonly fields: Wording }[]): readonly string[] {
  const complete = words.filter(({ was }) => was.status === 'complete').map(({ was }) => was.id);
  const open = words.length - complete.length;
  return [
    ...(open > MOST_WORDED ? [`Only ${MOST_WORDED} tasks may be reworded at once, not ${open}.`] : []),
    ...(complete.length === 0 ? [] : [`You may not reword complete tasks: ${nameList(complete)}.`]),
    ...words.flatMap(({ was, fields }) => {
      const problem = was.status === 'complete' ? null : wordingProblem(fields);
      return problem === null ? [] : [`${shortName(was.id)} was not reworded: ${problem}.`];
    }),
  ];
}

function planRefused(truth: Plan, form: Plan): readonly string[] {
  const ids = (groups: Plan['stories']) => groups.map(({ id, title, path }) => JSON.stringify([id, title, path]));
  const isAsItWas = sameList(ids(truth.stories), ids(form.stories)) && sameList(ids(truth.milestones), ids(form.milestones));
  return [
    ...(sameList(truth.verify, form.verify) ? [] : ['You may not change the verify commands of the plan: they apply to every task.']),
    ...(isAsItWas ? [] : ['You may not change the stories and milestones of the plan.']),
  ];
}

/**
 * The plan to compare an agent's version with. If the agent merged the base itself, a task that equals the one at home was changed by others, and the agent is
 * not blamed for it.
 */
export function withChangesOfOthers(before: Plan, form: Plan | null, home: Plan | null): Plan {
  if (form === null || home === null) return before;
  const theirs = new Map(form.tasks.map((task) => [task.id, textOf(task)]));
  const same = new Map(home.tasks.filter((task) => theirs.get(task.id) === textOf(task)).map((task) => [task.id, task]));
  const known = new Set(before.tasks.map(({ id }) => id));
  const added = [...same.values()].filter(({ id }) => !known.has(id));
  return { ...before, tasks: [...before.tasks.map((task) => same.get(task.id) ?? task), ...added] };
}

const textOf = (task: PlanTask): string => JSON.stringify(task, Object.keys(task).sort());
