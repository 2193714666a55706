import type { Failure } from '../effects/effect.ts';
import type { MergeJudged, MergeProof, TaskNone, TaskReleased, TaskTaken } from '../events/work.ts';
import type { AnsweredQuestion } from '../words/claim.ts';
import type { PlanEdit, PlanTask } from '../words/plan.ts';
import type { HeldClaim } from '../words/task-register.ts';
import type { Standstill } from './iteration.ts';

/** What a run knows about its plan. */
export interface WorkState {
  /** How many tasks were ever asked for, so that no key is used twice. */
  readonly asked: number;
  /** A held task whose iteration is not open yet. */
  readonly taken: Omit<TaskTaken, 'type' | 'key' | 'plan'> | null;
  /** How many tasks the run could still do when it took its last one; absent: nobody looked. */
  readonly mayDo?: number;
  /** How many tasks there are for it, and how many were complete when it took the first one; absent: nobody looked. */
  readonly planned?: { readonly total: number; readonly completeBefore: number };
  /** Why no task could be taken at the last try; null when something may have changed since. */
  readonly noTask: (Omit<TaskNone, 'type' | 'key' | 'plan'> & Since) | null;
  /** Why the plan could not be read; null once it can be. */
  readonly planProblem: ({ readonly why: string } & Since) | null;
  readonly counts: TaskCounts;
  /** When each worker closed its last task. */
  readonly idleSinceMs: Readonly<Record<number, number>>;
  /** Why the operator's branch does not follow the base. */
  readonly leftBehind: string | null;
  /** Whether a task counts as done with nothing but its claim to prove it. */
  readonly unproven: boolean;
  /** How many done tasks are proven, where not all of them are; absent: none. */
  readonly proven?: number;
  /** The result of the last proof of each task: all that wait for a person, and the latest of the others. */
  readonly proofs?: readonly TaskProof[];
  /** The iterations and costs of all tries of each task that is not done. */
  readonly tried?: readonly TriedTask[];
  /** The tasks that this run could not finish and has left to a person. */
  readonly left?: readonly LeftTask[];
  /** The tasks that a person told this run to leave alone. */
  readonly skipped?: readonly string[];
  readonly receipts?: TaskReceipts;
  /** What repeats in the tries of each task that is tried again. */
  readonly standstills?: Readonly<Record<string, Standstill>>;
}

/** How many receipts of tasks or stories there are, in which folder, and why the last one is not signed. */
export interface TaskReceipts {
  readonly count: number;
  readonly folder: string;
  readonly unsigned: string | null;
}

export interface LeftTask {
  readonly task: string;
  readonly state: 'failed' | 'conflict';
  readonly iteration: number;
  /** In a line for people. */
  readonly why: string;
  /** What its last agent said last; absent: nothing. */
  readonly said?: string;
  readonly atMs: number;
}

export interface TriedTask {
  readonly task: string;
  readonly iterations: number;
  /** Null as soon as one did not say. */
  readonly costUsd: number | null;
}

export interface TaskProof {
  readonly task: string;
  readonly iteration: number;
  /** Whether it waits for a person. */
  readonly isParked: boolean;
  /** Since when; absent: it does not wait, or the journal is of an earlier version. */
  readonly parkedAtMs?: number;
  /** What its agent said last; absent: nothing. */
  readonly said?: string;
  readonly proof: Omit<MergeProof, 'results'>;
}

/** When this was first and last found. */
export interface Since {
  readonly sinceMs: number;
  readonly atMs: number;
}

/** How the tries of this run ended. Those that Ralph interrupted, or that end with something for a person to decide, are in none of them. */
export interface TaskCounts {
  readonly done: number;
  /** The agent ended without completing it. */
  readonly unfinished: number;
  /** The agent failed. */
  readonly failed: number;
  /** It was claimed to be complete, and that was not proven. */
  readonly unproven: number;
  readonly conflicts: number;
}

/** The task of an open iteration, and how far it is. */
export interface CurrentTask {
  readonly task: PlanTask;
  /** The fencing number. */
  readonly n: number;
  readonly tries: number;
  readonly feedback: string;
  readonly from: string | null;
  readonly prompt: string | null;
  /** Its last claim, if that was held. */
  readonly claim?: HeldClaim;
  /** What people had answered about it when it was taken. */
  readonly answers?: readonly AnsweredQuestion[];
  /** The commit that merged it before a person set it back in the plan. */
  readonly doneBefore?: string;
  readonly workspace: { readonly path: string; readonly cwd: string; readonly branch: string; readonly base: string; readonly head?: string } | null;
  /** How many attempts crashed in a row, and when the last one did. Absent: the last one did not. */
  readonly crashes?: { readonly count: number; readonly lastMs: number } | undefined;
  /** Why nobody could work on it: no worktree could be made. */
  readonly problem: string | null;
  /** Whether somebody has claimed that it is complete. */
  readonly isClaimed: boolean;
  /** The agent's work, once it is committed; null while an agent may change it. */
  readonly settled: SettledWork | null;
  readonly merge: MergedWork | null;
  readonly merges: number;
  /** Absent until it is written. */
  readonly hasReceipt?: true;
  /** The base was merged into the worktree with these conflicts, for an agent to resolve. */
  readonly brought: { readonly conflicts: readonly string[]; readonly problem: string | null } | null;
  readonly resolves: number;
  /** The base that was merged into the worktree last. */
  readonly broughtBase?: string;
  /** The files that had conflicts. */
  readonly conflicted: readonly string[];
  /** Why it is abandoned: somebody else holds it, or its loop has died. */
  readonly abandonedBecause: string | null;
  readonly released: TaskReleased['state'] | null;
  /** When it was released, no other task could be taken. */
  readonly isLast?: true;
  readonly isClosed: boolean;
}

export interface SettledWork {
  readonly head: string;
  readonly tree: string;
  readonly changed: boolean;
  readonly edits: readonly PlanEdit[];
  readonly refused: readonly string[];
  /** Protected paths that were reverted. */
  readonly restored: readonly string[];
  readonly problem: string | null;
}

export interface MergedWork {
  readonly result: MergeJudged['result'];
  readonly commit: string | null;
  readonly tree?: string;
  readonly conflicts: readonly string[];
  readonly failures: readonly Failure[];
  readonly detail: string;
  readonly proof?: MergeProof;
  readonly unwritten?: true;
}

export const noWork: WorkState = {
  asked: 0,
  taken: null,
  noTask: null,
  planProblem: null,
  counts: { done: 0, unfinished: 0, failed: 0, unproven: 0, conflicts: 0 },
  idleSinceMs: {},
  leftBehind: null,
  unproven: false,
};

/** How many tasks of the plan are complete; null: nobody has counted them. */
export function completeTasks({ noTask, planned, counts }: WorkState): { readonly complete: number; readonly total: number } | null {
  if (noTask !== null) return noTask.counts;
  return planned === undefined ? null : { total: planned.total, complete: Math.min(planned.total, planned.completeBefore + counts.done) };
}

/** How many tasks this run has completed with a check or a declared output that proves it. */
export function provenTasks({ counts, unproven, proven = 0 }: WorkState): number {
  return unproven ? proven : counts.done;
}

export function provenAfter(before: WorkState, isChecked: boolean): Pick<WorkState, 'unproven' | 'proven'> {
  const proven = provenTasks(before) + Number(isChecked);
  const unproven = before.unproven || !isChecked;
  return { unproven, ...(unproven && proven > 0 && { proven }) };
}

/** Tries that ended with a question or a held claim: a person has to decide, so they are no failures. */
export function parkedTries({ opened, open, abandoned, tasks: { counts } }: Tries): number {
  const counted = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return opened - open.length - abandoned - counted;
}

interface Tries {
  readonly opened: number;
  readonly open: readonly unknown[];
  readonly abandoned: number;
  readonly tasks: Pick<WorkState, 'counts'>;
}
