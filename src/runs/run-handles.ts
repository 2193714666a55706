import type { OpenHooks } from '../door/door.ts';
import type { SupervisorDoor } from '../door/door-context.ts';
import type { Watcher } from '../engine/contracts.ts';
import type { StoryPorts, Supervision, WorkPorts } from '../engine/ports/ports.ts';
import type { Scope } from '../kit/async/scope.ts';
import type { ProcessWatch } from '../process/process-request.ts';
import type { AgentSpec } from '../settings/schema/sandbox-spec.ts';
import type { Sandboxes } from './sandbox/open-sandboxes.ts';

/** A running run: its id, its guardian, and its socket. */
export interface RunHandles {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  /** The socket on which this run answers. */
  readonly door: string;
  readonly scope: Scope;
  readonly walls: Sandboxes;
}

/** What a recipe opens for its run; most of it belongs to one recipe only. */
export interface RecipePorts {
  readonly supervision: Supervision | null;
  readonly work: WorkPorts | null;
  readonly stories: StoryPorts | null;
  /** The agent of the settings, with the command-line arguments that this run adds. */
  readonly agent: AgentSpec;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly watcher: Watcher | null;
  readonly rooms: SupervisorDoor | null;
  readonly openHooks: OpenHooks;
}
