import type { OpenHooks } from '../door/door.ts';
import type { SupervisorDoor } from '../door/door-context.ts';
import type { Watcher } from '../engine/contracts.ts';
import type { Ports } from '../engine/ports/ports.ts';
import type { SharedBudget } from '../engine/ports/quota.ts';
import type { Registers } from '../engine/ports/stores.ts';
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

/** An agent with the arguments and the environment that this run adds. */
export interface EquippedAgent {
  readonly agent: AgentSpec;
  readonly env: Readonly<Record<string, string>>;
}

/** What a recipe opens for its run; most of it belongs to one recipe only. */
export interface RecipePorts {
  readonly own: Pick<Ports, 'supervision' | 'work' | 'stories'>;
  /** The agent of the settings, with the command-line arguments that this run adds. */
  readonly agent: AgentSpec;
  readonly agentEnv: Readonly<Record<string, string>>;
  /** The same for an agent that takes over. */
  readonly equip: (agent: AgentSpec) => EquippedAgent;
  readonly watcher: Watcher | null;
  /** What other machines share with this run; absent: files of this machine. */
  readonly shared?: Registers;
  readonly budget?: SharedBudget;
  /** Aborts when this process may write nothing any more. */
  readonly gone?: AbortSignal;
  readonly rooms: SupervisorDoor | null;
  readonly openHooks: OpenHooks;
}
