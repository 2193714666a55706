import type { Failure } from '../effects/effect.ts';
import type { MergeJudged, MergeProof, TaskNone, TaskReleased, TaskTaken } from '../events/work.ts';
import type { HeldClaim } from '../words/held-claim.ts';
import type { PlanEdit, PlanTask } from '../words/plan.ts';

/** What a run knows of the plan it works on. */
export interface WorkState {
  /** How many tasks were ever asked for, so that no key is used twice. */
  readonly asked: number;
  /** Held, and its iteration is not open yet. */
  readonly taken: Omit<TaskTaken, 'type' | 'key'> | null;
  /** Why nothing could be taken when it was last asked for; null when something may have changed since. */
  readonly nothing: (Omit<TaskNone, 'type' | 'key'> & Since) | null;
  /** Why the plan could not even be looked at; null once it could. */
  readonly trouble: ({ readonly why: string } & Since) | null;
  readonly counts: TaskCounts;
  /** When each lane closed its last task. */
  readonly idleSinceMs: Readonly<Record<number, number>>;
  /** Why the operator's branch does not follow the base. */
  readonly leftBehind: string | null;
  /** Whether a task counts as done that nothing but its claim proves. */
  readonly unproven: boolean;
  /** What came of the last claim of each task that was put to the proof: all that wait for a person, and the latest of the others. */
  readonly proofs?: readonly TaskProof[];
  /** What the tries of tasks that are not done have taken, all together for each. */
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

/** When it was found, first and last. */
export interface Since {
  readonly sinceMs: number;
  readonly atMs: number;
}

/** How the tasks of this run ended. Every task that was closed is in exactly one of these. */
export interface TaskCounts {
  readonly done: number;
  /** The agent ended without completing it. */
  readonly unfinished: number;
  /** The agent came to nothing. */
  readonly failed: number;
  /** It was claimed to be complete, and that was not proven. */
  readonly unproven: number;
  readonly conflicts: number;
}

/** The task of an open iteration, and how far it is. */
export interface TaskInHand {
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
  /** Whether somebody has said that it is complete. */
  readonly isClaimed: boolean;
  /** What the agent left, once it is committed; null while an agent may change it. */
  readonly settled: SettledWork | null;
  readonly merge: MergedWork | null;
  readonly merges: number;
  /** Absent until it is written. */
  readonly hasReceipt?: true;
  /** The base is in the worktree, with these conflicts, for an agent to resolve. */
  readonly brought: { readonly conflicts: readonly string[]; readonly problem: string | null } | null;
  readonly resolves: number;
  /** What there was to resolve. */
  readonly clashed: readonly string[];
  /** Why it is given up before its end: it is somebody else's, or its loop has died. */
  readonly givenUp: string | null;
  readonly released: TaskReleased['state'] | null;
  readonly isClosed: boolean;
}

export interface SettledWork {
  readonly head: string;
  readonly tree: string;
  readonly changed: boolean;
  readonly edits: readonly PlanEdit[];
  readonly refused: readonly string[];
  /** Protected paths that were put back. */
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
  nothing: null,
  trouble: null,
  counts: { done: 0, unfinished: 0, failed: 0, unproven: 0, conflicts: 0 },
  idleSinceMs: {},
  leftBehind: null,
  unproven: false,
};
