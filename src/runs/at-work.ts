import type { OpenHooks } from '../door/door.ts';
import type { DoorRooms } from '../door/door-rooms.ts';
import type { Watcher } from '../engine/contracts.ts';
import type { CrewPorts, StoryPorts, Supervision } from '../engine/ports/ports.ts';
import type { Scope } from '../kit/async/scope.ts';
import type { ProcessWatch } from '../process/process-request.ts';
import type { AgentSpec } from '../settings/schema/wall.ts';
import type { Walls } from './sandbox/open-walls.ts';

/** A running run: its id, its guardian, and its socket. */
export interface AtWork {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  /** The socket on which this run answers. */
  readonly door: string;
  readonly scope: Scope;
  readonly walls: Walls;
}

/** What a recipe opens for its run; most of it belongs to one recipe only. */
export interface Surroundings {
  readonly supervision: Supervision | null;
  readonly crew: CrewPorts | null;
  readonly stories: StoryPorts | null;
  /** The agent of the settings, with the command-line arguments that this run adds. */
  readonly agent: AgentSpec;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly watcher: Watcher | null;
  readonly rooms: DoorRooms | null;
  readonly openHooks: OpenHooks;
}
