import type { AgentEvent } from '../../model/agent-event.ts';
import type { Progress } from '../../model/progress.ts';
import type { RunSettings } from '../../model/run-settings.ts';
import type { AgentPort } from './agent.ts';
import type { Bus } from './bus.ts';
import type { Children } from './children.ts';
import type { Clock } from './clock.ts';
import type { CommandPort } from './command.ts';
import type { GitPort } from './git.ts';
import type { GitHistory } from './git-history.ts';
import type { ProcessesPort } from './processes.ts';
import type { TaskFolder } from './task-folder.ts';

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
  /** As journaled with `run.started`. */
  readonly settings: RunSettings;
  /** Shows what an agent says while it says it. No rule reads it. */
  readonly show: (attempt: string, event: AgentEvent) => void;
  /** Shows what the loop itself is at. No rule reads it. */
  readonly tell: (progress: Progress) => void;
  /** The settings files that were changed since the run went to work, each change told once. */
  readonly changedSettings: () => Promise<readonly string[]>;
  /** What a specification says now, null when it cannot be read, and whether that is news. */
  readonly changedSpec: (path: string) => Promise<{ readonly text: string | null; readonly isNew: boolean }>;
}

/** The task of a root agent, the messages about it, and the runs that came from it. */
export interface Supervision {
  readonly task: TaskFolder;
  readonly children: Children;
  readonly taskBus: Bus;
  readonly projectBus: Bus;
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
