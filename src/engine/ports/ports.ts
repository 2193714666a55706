import type { PlanNews, SeenTask } from '../../journal/events/work.ts';
import type { Progress } from '../../journal/progress.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { PlanTask } from '../../journal/words/plan.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import type { AuditEntry, Holder } from '../../journal/words/task-register.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import type { RunSettings, SettingsWith } from '../../settings/schema/run-settings.ts';
import type { AgentPort } from './agent.ts';
import type { CommandPort } from './command.ts';
import type { GitHistory, GitPort } from './git.ts';
import type { QuotaPort } from './quota.ts';
import type { PlanStore, Registers } from './stores.ts';
import type { StoryWorkspace } from './story-workspace.ts';
import type { Bus, Children, TaskFolder } from './supervision.ts';
import type { TaskBranches } from './task-branches.ts';

/** The outside world as effects see it, besides the files of their own folders. */
export interface Ports {
  readonly clock: Clock;
  readonly agent: AgentPort;
  /** The agents that take over, by name; empty: there are none. */
  readonly fallback: ReadonlyMap<string, AgentPort>;
  readonly quota: QuotaPort;
  readonly command: CommandPort;
  readonly git: GitPort;
  readonly history: GitHistory;
  readonly processes: ProcessesPort;
  readonly place: Place;
  /** Each belongs to one recipe; absent in the runs of the others. */
  readonly supervision?: Supervision;
  readonly work?: WorkPorts;
  readonly stories?: StoryPorts;
  /** As journaled with `run.started`. */
  readonly settings: RunSettings;
  /** Shows an agent's output while it runs. No rule reads it. */
  readonly showAgentEvent: (attempt: string, event: AgentEvent) => void;
  /** Shows what the loop is doing. No rule reads it. */
  readonly showProgress: (progress: Progress) => void;
  /** Signs with the operator's key, which no process of an agent can reach. Never rejects. */
  readonly sign: (receipt: Receipt) => Promise<SignedText>;
  /** The settings files that changed since the run started. Each change is reported once. */
  readonly changedSettings: () => Promise<readonly string[]>;
  /** The current text of a specification, null when it cannot be read, and whether it has changed since the last call. */
  readonly changedSpec: (path: string) => Promise<{ readonly text: string | null; readonly isNew: boolean }>;
}

/** The ports of a supervised root agent, of a run on a plan, and of one on stories. */
export type TaskFolderPorts = Ports & { readonly supervision: Supervision; readonly settings: SettingsWith<'supervise'> };
export type PlanPorts = Ports & { readonly work: WorkPorts; readonly settings: SettingsWith<'work'> };
export type StoriesPorts = Ports & { readonly stories: StoryPorts; readonly settings: SettingsWith<'stories'> };

/** The text to write for a receipt, and the fingerprint of the key that signed it; null when it could not be signed, with the reason. */
export interface SignedText {
  readonly text: string;
  readonly signedBy: string | null;
  readonly why: string;
}

/** A root agent's task, its message bus, and its child runs. */
export interface Supervision {
  readonly task: TaskFolder;
  readonly children: Children;
  readonly taskBus: Bus;
  readonly projectBus: Bus;
}

/** A plan, the holders of its tasks, and their worktrees. */
export interface WorkPorts {
  /** The plan in its home checkout. */
  readonly plan: PlanStore;
  /** The same plan in another work tree, given the top of that tree. */
  readonly planIn: (top: string) => PlanStore;
  readonly registers: Registers;
  readonly branches: TaskBranches;
  /** This process, which holds tasks for all workers of the run. */
  readonly process: NonNullable<Holder['process']>;
  /** Whether the process of a holder is alive. */
  readonly livenessOf: (process: NonNullable<Holder['process']>) => 'alive' | 'dead' | 'unknown';
  /** Where a result is now: in the home checkout, only on the base (the checkout could not follow, or its plan is not the committed one), or on another branch. */
  readonly locationOf: (commit: string) => Promise<'checkout' | 'base' | 'elsewhere'>;
  /** The task with the gates it had when the run started, so that no later edit of the plan can remove them. */
  readonly withGatesAtStart: (task: PlanTask) => PlanTask;
  /** Runs the operator's prompt command for a holder and an effect's key; null when none is configured. */
  readonly runPromptCommand:
    | ((holder: Holder, key: string) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>)
    | null;
  /** What the journal does not know yet of the tasks; undefined: nothing. */
  readonly planNews: (tasks: readonly SeenTask[]) => PlanNews | undefined;
  /** Appends one line to `logs/task-audit.jsonl`. Never throws. */
  readonly audit: (entry: AuditEntry) => Promise<void>;
}

/** The stories, the branch they are worked on, and their reviewer. */
export interface StoryPorts {
  readonly ground: StoryWorkspace;
  /** Null: the agent of the run reviews. */
  readonly reviewer: AgentPort | null;
  /** The prompt template when the operator has none. */
  readonly template: string;
}

/** Where a run works and where it keeps its files. */
export interface Place {
  /** The beginning of every process marker of this loop. A resumed run has another prefix, so that the guardian of the dead loop cannot end its agents. */
  readonly markerPrefix: string;
  readonly workspace: string;
  readonly runFolder: string;
  /** Gate logs for the operator, inside the workspace so that agents can read them too. */
  readonly viewFolder: string;
}

/** Ends processes that a dead loop left running. */
export interface ProcessesPort {
  /** Ends the named processes with all their descendants, and every other process that carries this run's marker. Other processes are never touched. */
  reap(known: readonly ProcessIdentity[]): Promise<void>;
}

/** Epoch milliseconds that never jump: the system time at opening plus the uptime passed since. */
export interface Clock {
  nowMs(): number;
  /** Resolves at that time or when the signal aborts, whichever comes first; never rejects. */
  sleepUntil(untilMs: number, signal: AbortSignal): Promise<void>;
}
