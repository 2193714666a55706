import type { Progress } from '../../journal/progress.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { PlanTask } from '../../journal/words/plan.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import type { AuditEntry, Holder } from '../../journal/words/task-register.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { AgentPort } from './agent.ts';
import type { CommandPort } from './command.ts';
import type { GitHistory, GitPort } from './git.ts';
import type { PlanStore, Registers } from './stores.ts';
import type { StoryGround } from './story-ground.ts';
import type { Bus, Children, TaskFolder } from './supervision.ts';
import type { TaskBranches } from './task-branches.ts';

/** The world as effects are given it, beside the files of their own folders. */
export interface Ports {
  readonly clock: Clock;
  readonly agent: AgentPort;
  readonly command: CommandPort;
  readonly git: GitPort;
  readonly history: GitHistory;
  readonly processes: ProcessesPort;
  readonly place: Place;
  /** What a root agent has around it; null for every other run. */
  readonly supervision: Supervision | null;
  /** What a run on a plan has around it; null for every other run. */
  readonly crew: CrewPorts | null;
  /** What a run on stories has around it; null for every other run. */
  readonly stories: StoryPorts | null;
  /** As journaled with `run.started`. */
  readonly settings: RunSettings;
  /** Shows what an agent says while it says it. No rule reads it. */
  readonly show: (attempt: string, event: AgentEvent) => void;
  /** Shows what the loop itself is at. No rule reads it. */
  readonly tell: (progress: Progress) => void;
  /** Signs with the operator's key, which nothing that an agent starts can reach. Never rejects. */
  readonly sign: (receipt: Receipt) => Promise<SignedText>;
  /** The settings files that were changed since the run went to work, each change told once. */
  readonly changedSettings: () => Promise<readonly string[]>;
  /** What a specification says now, null when it cannot be read, and whether that is news. */
  readonly changedSpec: (path: string) => Promise<{ readonly text: string | null; readonly isNew: boolean }>;
}

/** What is written of a receipt, and the fingerprint of the key that signed it; null: none could, and why. */
export interface SignedText {
  readonly text: string;
  readonly signedBy: string | null;
  readonly why: string;
}

/** The task of a root agent, the messages about it, and the runs that came from it. */
export interface Supervision {
  readonly task: TaskFolder;
  readonly children: Children;
  readonly taskBus: Bus;
  readonly projectBus: Bus;
}

/** A plan, who has which of its tasks, and where each is worked on. */
export interface CrewPorts {
  /** The plan at its one home. */
  readonly plan: PlanStore;
  /** The same plan in another work tree, given its top. */
  readonly planIn: (top: string) => PlanStore;
  readonly registers: Registers;
  readonly branches: TaskBranches;
  /** This very process, which stands for all lanes of the run. */
  readonly process: NonNullable<Holder['process']>;
  /** Whether a holder is still there. */
  readonly livenessOf: (process: NonNullable<Holder['process']>) => 'alive' | 'dead' | 'unknown';
  /** Where a result is by now: in the checkout at home, on the base only since that could not follow, or on another branch. */
  readonly whereIs: (commit: string) => Promise<'checkout' | 'base' | 'elsewhere'>;
  /** The task with the gates it had when the run was started: nobody talks them away while it runs. */
  readonly asAtStart: (task: PlanTask) => PlanTask;
  /** Runs the operator's prompt command for a holder and an effect's key; null: there is none. */
  readonly askForWork: ((holder: Holder, key: string) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>) | null;
  /** One line of `logs/task-audit.jsonl`. Never throws. */
  readonly audit: (entry: AuditEntry) => Promise<void>;
}

/** The stories, the branch they are worked on, and who reviews them. */
export interface StoryPorts {
  readonly ground: StoryGround;
  /** Null: the agent of the run does. */
  readonly reviewer: AgentPort | null;
  /** What a turn is told where the operator has no template. */
  readonly template: string;
}

/** Where a run works and where it keeps its things. */
export interface Place {
  /** What every marker of this loop's processes begins with. A resumed run has another one, so that the guardian of the dead loop never meets its agents. */
  readonly markerPrefix: string;
  readonly workspace: string;
  readonly runFolder: string;
  /** The operator's view of gate logs, inside the workspace so that agents can read them. */
  readonly viewFolder: string;
}

/** Ends what a dead loop left running. */
export interface ProcessesPort {
  /** Ends the named processes with all that came from them, and every other one that carries this run's marker. Strangers are never touched. */
  reap(known: readonly ProcessIdentity[]): Promise<void>;
}

/** Epoch milliseconds that never jump: wall time at opening plus the uptime passed since. */
export interface Clock {
  nowMs(): number;
  /** Resolves at that time or when the signal aborts, whichever comes first; never rejects. */
  sleepUntil(untilMs: number, signal: AbortSignal): Promise<void>;
}
