import type { OpenHooks } from '../door/door.ts';
import type { DoorRooms } from '../door/door-rooms.ts';
import type { Watcher } from '../engine/contracts.ts';
import type { CrewPorts, StoryPorts, Supervision } from '../engine/ports/ports.ts';
import type { Scope } from '../kit/async/scope.ts';
import type { ProcessWatch } from '../process/process-request.ts';
import type { AgentSpec } from '../settings/schema/wall.ts';
import type { Walls } from './sandbox/open-walls.ts';

/** A run that is at work: who it is, who guards it, and where it answers. */
export interface AtWork {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  /** Where this run answers. */
  readonly door: string;
  readonly scope: Scope;
  readonly walls: Walls;
}

/** What a run has around it while it is at work; most of it is of one recipe only. */
export interface Surroundings {
  readonly supervision: Supervision | null;
  readonly crew: CrewPorts | null;
  readonly stories: StoryPorts | null;
  /** As the settings name it, with what this run adds to its command line. */
  readonly agent: AgentSpec;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly watcher: Watcher | null;
  readonly rooms: DoorRooms | null;
  readonly openHooks: OpenHooks;
}
