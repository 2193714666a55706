import type { JournalEvent } from '../journal/events/journal-event.ts';
import type { RunState } from '../journal/state/state.ts';
import type { Outcome } from '../journal/words/outcome.ts';
import type { FinishedRun } from '../runs/run-options.ts';

/** Milliseconds, or a text with units such as `500ms`, `30s` or `1h30m`; `off` means 0. */
export type Duration = number | string;

/** What a start of the root agent gets besides its signal and its number. */
export interface RootStart {
  /** The prompt of `ralph supervise`: the task, how the last start ended, which checks were red, how to finish. */
  readonly prompt: string;
  /** The directory it works in. */
  readonly cwd: string;
  /**
   * For processes that the root agent starts. It contains their task folder and bus. They can ask this run for children, and are ended when
   * the life is over or this program is gone.
   */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the root agent once. Resolving counts as exit code 0, but only DONE ends the task. Rejecting is a failure, and the agent is restarted. */
export type RootRunner = (signal: AbortSignal, attempt: number, life: RootStart) => unknown;

/** The options of `superviseRoot`. Only the first two are required. */
export interface SuperviseOptions {
  /** The folder of the task, `<root>/<project>/<task>`, with DONE, the bus and the runs. Created if missing. */
  readonly runDir: string;
  /** `attempt` is counted from 0. */
  readonly runRoot: RootRunner;

  /** Must be `<runDir>/TASK-MESSAGE-BUS.md`, the default, because all agents look there. */
  readonly messageBus?: string;
  /** How often the agent may run in total; 0 means never. Default: 100. */
  readonly maxRestarts?: number;
  /** How long to wait for children after DONE. Default: 5 minutes. */
  readonly waitTimeout?: Duration;
  /** How often to check DONE and the children. Default: 1 second. */
  readonly pollInterval?: Duration;
  /** The pause before each restart. Default: 1 second. */
  readonly restartDelay?: Duration;
  /** Project and task must be the last two parts of `runDir`. */
  readonly projectId?: string;
  readonly taskId?: string;
  /** Abort it to stop the agent and its children; the outcome is then `interrupted`. */
  readonly signal?: AbortSignal;

  /** The task for the prompt; saved in TASK.md. Default: the text of TASK.md. */
  readonly prompt?: string;
  /** Shell commands that must exit 0. If they are red, DONE is renamed to DONE.refused-1, and so on. */
  readonly checks?: readonly string[];
  /** The pause doubles with each consecutive failure, up to this. Default: 0, which keeps the pause the same. */
  readonly backoff?: Duration;
  /** Gives up after more failures than this within this time. Default: never. */
  readonly restartIntensity?: { readonly failures: number; readonly within: Duration };
  /** Maximum duration of one start of the agent. Default: 0, no limit. */
  readonly runTimeout?: Duration;
  /** How long the agent may go on running after DONE; 0 means no limit. Default: 1 minute. */
  readonly finishOnDone?: Duration;
  /** Which children to wait for: those of this task, or also those of other tasks of the project. Default: `task`. */
  readonly waitScope?: 'task' | 'project';
  /** Whether to stop children that are still running after the wait. Default: false. */
  readonly killChildren?: boolean;
  /** Tasks of the same project that must be done before this one starts. */
  readonly dependsOn?: readonly string[];
  /** Whether a failed dependency ends the run at once. Default: false, the run waits for it. */
  readonly failOnBlocked?: boolean;

  /** Where the agent and the checks work. Default: the current directory. */
  readonly workspaceRoot?: string;
  /** The id of a run of this task that was killed or stopped, or the last characters of it. It continues with the settings it was started with. */
  readonly resume?: string;
  /** Receives every journal event as it is written. If it throws, it is not called again and the process gets a warning. */
  readonly onEvent?: (event: JournalEvent) => void;
}

/** The result of a supervised root agent. */
export interface SuperviseResult {
  /** Whether DONE exists and every check is green. */
  readonly done: boolean;
  /** Whether it is done without any check, by the agent's claim alone. */
  readonly unproven: boolean;
  /** The outcome as in `--json`; its `message` is a sentence. */
  readonly outcome: Outcome;
  /** How often the root agent was run, without interrupted starts and those with a fatal error. */
  readonly restarts: number;
  /** What the agent waits for, if it asked not to be restarted; null otherwise. */
  readonly waiting: string | null;
  /** Runs, by their ids. */
  readonly children: {
    /** Children that this run started. */
    readonly started: readonly string[];
    /** Children that had not ended after the wait. */
    readonly outlived: readonly string[];
    /** Children that were still running when this run ended. */
    readonly atWork: readonly string[];
  };
  readonly runId: string;
  /** The folder with the journal, the prompts and the logs. */
  readonly runFolder: string;
}

export function resultOfRoot({ outcome, view, runFolder }: FinishedRun, { children, task }: Pick<RunState, 'children' | 'task'>): SuperviseResult {
  return {
    done: view.done,
    unproven: view.unproven,
    outcome,
    restarts: view.restarts ?? 0,
    waiting: outcome.stop_reason === 'waiting' ? (task.wait?.reason ?? '') : null,
    children: { started: children.started, outlived: children.outlived, atWork: children.active },
    runId: view.run_id,
    runFolder,
  };
}
