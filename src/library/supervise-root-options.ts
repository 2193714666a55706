import type { JournalEvent } from '../journal/events/journal-event.ts';
import type { RunState } from '../journal/state/state.ts';
import type { Outcome } from '../journal/words/outcome.ts';
import type { FinishedRun } from '../runs/run-options.ts';

/** Milliseconds, or a text with its units such as `500ms`, `30s` or `1h30m`; `off` is 0. */
export type Duration = number | string;

/** What a life of the root agent is given beside its signal and its number. */
export interface RootLife {
  /** What `ralph supervise` would tell an agent: the task, how the life before ended, what was red, how to finish. */
  readonly prompt: string;
  /** Where it is to work. */
  readonly cwd: string;
  /**
   * For processes that the life starts. They find their task folder and their bus in it, can ask this run for children, and are ended when
   * the life is over or this program is gone.
   */
  readonly env: Readonly<Record<string, string>>;
}

/** One life of the root agent. To resolve is exit code 0, and means nothing: only DONE does. To reject is a failure, after which it is run again. */
export type RootRunner = (signal: AbortSignal, attempt: number, life: RootLife) => unknown;

/** What `superviseRoot` is asked for. Only the first two are needed. */
export interface SuperviseOptions {
  /** The folder of the task, `<root>/<project>/<task>`, where DONE, the bus and the runs lie. It is made if it is missing. */
  readonly runDir: string;
  /** `attempt` is counted from 0. */
  readonly runRoot: RootRunner;

  /** Only `<runDir>/TASK-MESSAGE-BUS.md`, which is the default: there everybody looks for it. */
  readonly messageBus?: string;
  /** How often the agent may be run at all; 0: never. Default: 100. */
  readonly maxRestarts?: number;
  /** How long children are waited for after DONE. Default: 5 minutes. */
  readonly waitTimeout?: Duration;
  /** How often DONE and the children are looked at. Default: 1 second. */
  readonly pollInterval?: Duration;
  /** The pause after every life. Default: 1 second. */
  readonly restartDelay?: Duration;
  /** They are the two last parts of `runDir`, and others are refused. */
  readonly projectId?: string;
  readonly taskId?: string;
  /** Aborted, it ends what runs, and the children too; the outcome then is `interrupted`. */
  readonly signal?: AbortSignal;

  /** What the agent is to do, for the prompt; it is kept in TASK.md. Default: what stands there. */
  readonly prompt?: string;
  /** Shell commands that must exit 0: a DONE that they do not confirm becomes DONE.refused-1, and so on. */
  readonly checks?: readonly string[];
  /** The longest pause after failures in a row, each twice as long as the one before. Default: 0, always the same pause. */
  readonly backoff?: Duration;
  /** More failures than this within this time, and it gives up. Default: never. */
  readonly restartIntensity?: { readonly failures: number; readonly within: Duration };
  /** For one life. Default: 0, no limit. */
  readonly runTimeout?: Duration;
  /** How long a life may stay on after DONE; 0: as long as it likes. Default: 1 minute. */
  readonly finishOnDone?: Duration;
  /** Which children are waited for: of this task, or also those in other tasks of the project. Default: `task`. */
  readonly waitScope?: 'task' | 'project';
  /** Whether children that outlive the wait are ended. Default: false. */
  readonly killChildren?: boolean;
  /** Tasks of the same project that must be done before this one begins. */
  readonly dependsOn?: readonly string[];
  /** Whether a failed task that this one depends on is an ending at once. Default: false, it is waited for. */
  readonly failOnBlocked?: boolean;

  /** Where the agent and the checks work. Default: the current directory. */
  readonly workspaceRoot?: string;
  /** The id of a run of this task that was killed or stopped, or the end of it. It goes on with the settings it was started with. */
  readonly resume?: string;
  /** Told every event of the journal as it is written. One that throws is told nothing more, and the process is warned. */
  readonly onEvent?: (event: JournalEvent) => void;
}

/** How a supervised root agent came to its end. */
export interface SuperviseResult {
  /** Whether DONE is there, and every check agrees. */
  readonly done: boolean;
  /** Done without any check: nothing but the agent's word says so. */
  readonly unproven: boolean;
  /** The ending in the words of `--json`; its `message` is a sentence. */
  readonly outcome: Outcome;
  /** How often the root agent was run; a life that was cut short, or that nothing could have helped, is not counted. */
  readonly restarts: number;
  /** What the agent waits for, who does not want to be run again before that; null for every other ending. */
  readonly waiting: string | null;
  /** Runs, by their ids. */
  readonly children: {
    /** Those that were started over this run. */
    readonly started: readonly string[];
    /** Those that were waited for in vain. */
    readonly outlived: readonly string[];
    /** Those that were still at work when it ended. */
    readonly atWork: readonly string[];
  };
  readonly runId: string;
  /** The journal, the prompts and the logs lie there. */
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
