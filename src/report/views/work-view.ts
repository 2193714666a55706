import type { OpenIteration, RunState } from '../../journal/state/state.ts';
import { completeTasks, parkedTries, type TaskProof, type TaskReceipts } from '../../journal/state/work-state.ts';
import type { NothingReason, TaskFilter } from '../../journal/words/plan.ts';
import { workSpecOf } from '../../settings/schema/recipe-facts.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';

/** A run on a plan in the form of run.json and `--json`. */
export interface WorkView {
  readonly plan: string;
  readonly plan_kind: WorkSpec['plan']['kind'];
  /** The work tree that contains the plan, and the branch that results are merged into. */
  readonly home: string;
  readonly base: string;
  /** Which tasks the run was started for. */
  readonly story: string | null;
  readonly milestone: TaskFilter['milestone'];
  readonly tags: TaskFilter['tags'];
  readonly workers: number;
  /** Every iteration that is closed is in exactly one of the first seven. `held`: tasks whose claim waits for a person now. */
  readonly tasks: {
    readonly done: number;
    readonly not_completed: number;
    readonly failed: number;
    readonly unproven: number;
    readonly conflicts: number;
    readonly parked: number;
    readonly interrupted: number;
    readonly held: number;
  };
  /** The tasks of the plan that the run is for; null: nobody has counted them. */
  readonly plan_tasks: { readonly total: number; readonly complete: number } | null;
  /** The last proof result of each task with a claim. */
  readonly proofs: readonly TaskProofView[];
  /** For merged tasks: how many receipts, in which folder, and why the last one is unsigned; null without a receipt. */
  readonly receipts: TaskReceipts | null;
  readonly current: readonly CurrentTask[];
  /** Why no task could be taken when last tried; null while one may be ready. */
  readonly nothing: { readonly reason: NothingReason; readonly held: boolean; readonly detail: string } | null;
  /** Why the plan cannot be worked on right now. */
  readonly trouble: string | null;
  readonly paused: boolean;
  /** Why the operator's branch does not follow the base. */
  readonly left_behind: string | null;
  /** The folder of `ralph.jsonl` and `ralph.heartbeat`. */
  readonly logs: string;
}

export interface TaskProofView {
  readonly task: string;
  readonly verdict: string;
  readonly level: string;
  /** Whether it waits for a person: ralph accept lets it pass. */
  readonly held: boolean;
  readonly dead_gate: boolean;
  readonly reason: string;
  readonly changed: readonly { readonly path: string; readonly why: string }[];
  readonly allowed: readonly string[];
  readonly allowed_by: string | null;
}

export interface CurrentTask {
  readonly lane: number;
  readonly iteration: number;
  readonly task: string;
  readonly title: string;
  /** The fencing number. */
  readonly n: number;
  /** Epoch ms. */
  readonly since: number;
  readonly branch: string | null;
}

/** Null for every other run. */
export function workView(state: RunState): WorkView | null {
  const { run, tasks, open, paused } = state;
  const work = workSpecOf(run?.settings);
  if (run === null || work === null) return null;
  const { counts, noTask, proofs = [] } = tasks;
  const held = proofs.filter(({ isParked }) => isParked).length;
  return {
    plan: work.plan.path,
    plan_kind: work.plan.kind,
    home: work.home,
    base: work.base,
    story: work.filter.story,
    milestone: work.filter.milestone,
    tags: work.filter.tags,
    workers: run.settings.lanes,
    tasks: {
      ...{ done: counts.done, not_completed: counts.unfinished, failed: counts.failed, unproven: counts.unproven, conflicts: counts.conflicts },
      ...{ parked: parkedTries(state), interrupted: state.abandoned, held },
    },
    plan_tasks: planTasks(tasks),
    proofs: proofs.map(proofView),
    receipts: tasks.receipts ?? null,
    current: open.flatMap(currentTask).sort((one, other) => one.lane - other.lane),
    nothing: noTask && { reason: noTask.reason, held: noTask.held, detail: noTask.detail },
    trouble: tasks.planProblem?.why ?? null,
    paused,
    left_behind: tasks.leftBehind,
    logs: work.logs,
  };
}

function planTasks(tasks: RunState['tasks']): WorkView['plan_tasks'] {
  const known = completeTasks(tasks);
  return known && { total: known.total, complete: known.complete };
}

function proofView({ task, isParked, proof }: TaskProof): TaskProofView {
  const { verdict, level, reason, changed, allowed, allowed_by } = proof;
  return { task, verdict, level, held: isParked, dead_gate: verdict === 'dead', reason, changed, allowed, allowed_by };
}

function currentTask({ currentTask: hand, worker, number, openedAtMs }: OpenIteration): readonly CurrentTask[] {
  if (hand === null) return [];
  const { task, n, workspace } = hand;
  return [{ lane: worker, iteration: number, task: task.id, title: task.title, n, since: openedAtMs, branch: workspace?.branch ?? null }];
}
