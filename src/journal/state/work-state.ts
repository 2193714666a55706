import type { Failure } from '../effects/effect.ts';
import type { MergeJudged, MergeProof, TaskNone, TaskReleased, TaskTaken } from '../events/work.ts';
import type { HeldClaim } from '../words/held-claim.ts';
import type { PlanEdit, PlanTask } from '../words/plan.ts';

/** What a run knows about its plan. */
export interface WorkState {
  /** How many tasks were ever asked for, so that no key is used twice. */
  readonly asked: number;
  /** A held task whose iteration is not open yet. */
  readonly taken: Omit<TaskTaken, 'type' | 'key'> | null;
  /** Why no task could be taken at the last try; null when something may have changed since. */
  readonly noTask: (Omit<TaskNone, 'type' | 'key'> & Since) | null;
  /** Why the plan could not be read; null once it can be. */
  readonly planProblem: ({ readonly why: string } & Since) | null;
  readonly counts: TaskCounts;
  /** When each worker closed its last task. */
  readonly idleSinceMs: Readonly<Record<number, number>>;
  /** Why the operator's branch does not follow the base. */
  readonly leftBehind: string | null;
  /** Whether a task counts as done with nothing but its claim to prove it. */
  readonly unproven: boolean;
  /** The result of the last proof of each task: all that wait for a person, and the latest of the others. */
  readonly proofs?: readonly TaskProof[];
  /** The iterations and costs of all tries of each task that is not done. */
  readonly tried?: readonly TriedTask[];
  /** How many receipts of tasks there are, in which folder, and why the last one is not signed; absent: none. */
  readonly receipts?: { readonly count: number; readonly folder: string; readonly unsigned: string | null };
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
  readonly proof: Omit<MergeProof, 'results'>;
}

/** When this was first and last found. */
export interface Since {
  readonly sinceMs: number;
  readonly atMs: number;
}

/** How the tasks of this run ended. Every closed task is counted exactly once. */
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
  readonly workspace: { readonly path: string; readonly cwd: string; readonly branch: string; readonly base: string } | null;
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
  /** The files that had conflicts. */
  readonly conflicted: readonly string[];
  /** Why it is abandoned: somebody else holds it, or its loop has died. */
  readonly abandonedBecause: string | null;
  readonly released: TaskReleased['state'] | null;
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
