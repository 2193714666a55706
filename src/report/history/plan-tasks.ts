import type { EventBody } from '../../journal/events/journal-event.ts';
import type { SeenTask, TaskNone, TaskReleased, TaskTaken } from '../../journal/events/work.ts';
import type { Standing } from '../../plans/graph/standing.ts';

/** The tasks of the plan as the run saw them, in the order of the plan; those of a journal without that are the tasks it took. */
export interface PlanTasksFold {
  add(body: EventBody): void;
  /** Null: no task is known yet. */
  tasks(): readonly SeenTask[] | null;
}

export function openPlanTasks(): PlanTasksFold {
  let known = new Map<string, SeenTask>();
  let list: readonly SeenTask[] | null = null;
  const set = (id: string, standing: Standing) => {
    const task = known.get(id);
    if (task !== undefined) known.set(id, { ...task, standing });
  };
  const isFree = ({ needs }: SeenTask) => needs.every((need) => (known.get(need)?.standing ?? 'complete') === 'complete');
  const waitOrBegin = (id: string) => {
    const task = known.get(id);
    if (task !== undefined) set(id, isFree(task) ? 'ready' : 'waiting');
  };

  function release({ task, state, was_ours }: TaskReleased): void {
    if (!was_ours) return;
    if (state === 'free') waitOrBegin(task);
    else set(task, state === 'done' ? 'complete' : state);
    const waiting = [...known.values()].filter(({ standing, needs }) => standing === 'waiting' && needs.includes(task));
    for (const { id } of waiting) waitOrBegin(id);
  }

  function look({ plan }: TaskTaken | TaskNone): void {
    if (plan?.whole) known = new Map();
    for (const task of plan?.tasks ?? []) known.set(task.id, task);
  }

  function take({ task: { id, title, needs } }: TaskTaken): void {
    known.set(id, { id, title, needs, standing: 'held' });
  }

  return {
    add(body) {
      if (body.type === 'task.taken' || body.type === 'task.none') look(body);
      else if (body.type === 'task.released') release(body);
      else if (body.type === 'task.answered' && body.was_ours) waitOrBegin(body.task);
      else return;
      if (body.type === 'task.taken') take(body);
      list = null;
    },
    tasks() {
      list ??= known.size === 0 ? null : [...known.values()];
      return list;
    },
  };
}
