import type { HookName } from './hooks/hook-name.ts';
import type { RunState } from '../journal/state/state.ts';
import type { Supervision } from '../engine/ports/ports.ts';
import type { Tell } from '../engine/watcher.ts';

/** What a supervisor has behind its door, beside its own state. Every other loop has none of it. */
export interface DoorRooms {
  readonly project: string;
  readonly task: string;
  readonly supervision: Pick<Supervision, 'taskBus' | 'projectBus'>;
  readonly newRunId: () => string;
  /** Where a run of that task has its journal; null is the supervisor's own task. */
  readonly runFolderOf: (run: string, task: string | null) => string;
  /** Where all that a child prints is written. */
  readonly logOf: (run: string) => string;
  /** How a run is doing, as JSON with at least `run`, `status` and `exit_code`; null when there is no such run. */
  readonly statusOf: (run: string) => Promise<unknown | null>;
}

/** What the hooks of an agent are answered: JSON for the agent, null for nothing to say. Never throws. */
export type AnswerHooks = (name: HookName, input: unknown) => Promise<unknown>;

/** Who answers. */
export interface House {
  readonly state: () => RunState;
  readonly tell: Tell;
  readonly nowMs: () => number;
  readonly rooms: DoorRooms | null;
  /** Null for every run that is not on stories. */
  readonly hooks: AnswerHooks | null;
  /** Aborted when the door is shut: who still waits for an answer is let go. */
  readonly closing: AbortSignal;
}
