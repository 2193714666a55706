import type { OpenHooks } from '../door/door.ts';
import type { DoorRooms } from '../door/door-rooms.ts';
import { guardFor } from '../door/guard/guard-for.ts';
import type { Watcher } from '../engine/contracts.ts';
import type { CrewPorts, StoryPorts, Supervision } from '../engine/ports/ports.ts';
import type { Scope } from '../kit/async/scope.ts';
import type { ProcessWatch } from '../process/stop-reasons.ts';
import type { Root } from '../recipes/supervise/start/open-root.ts';
import { agentEnvironment } from '../sandbox/environment/agent-environment.ts';
import type { AgentSpec } from '../settings/schema/wall.ts';
import type { RunAtHand } from './run-at-hand.ts';
import { warner } from './run-options.ts';
import type { Walls } from './sandbox/open-walls.ts';

interface AtWork {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  /** Where this run answers. */
  readonly door: string;
  readonly scope: Scope;
  readonly walls: Walls;
}

/** What a run has around it while it is at work; most of it is of one recipe only. */
interface Surroundings {
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

/** Opens what the recipe of a run needs. The agent of every run knows which one it is, and whom to ask. */
export async function openSurroundings(hand: RunAtHand, root: Root | null, at: AtWork): Promise<Surroundings> {
  const { settings, workspace } = hand;
  const guard = guardFor({
    wall: settings.wall,
    root: workspace.git?.topLevel ?? workspace.cwd,
    ...(settings.work !== null && workspace.git && { worktrees: settings.work.worktree.root ?? `${workspace.git.topLevel}.ralph` }),
    door: at.door,
    env: workspace.env,
    warn: warner(hand.options),
  });
  const plain: Surroundings = {
    supervision: null,
    crew: null,
    stories: null,
    agent: guard.guarded(settings.agent),
    agentEnv: {
      ...agentEnvironment(workspace.env, { agentKind: settings.agent.kind, pass: settings.wall.env.pass }),
      RALPH_RUN_ID: at.runId,
      RALPH_SOCKET: at.door,
    },
    watcher: null,
    rooms: null,
    openHooks: guard.openHooks,
  };
  return { ...plain, ...(await ofTheRecipe(hand, root, at)) };
}

/** Loaded by the run that has it. */
async function ofTheRecipe(hand: RunAtHand, root: Root | null, at: AtWork): Promise<Partial<Surroundings>> {
  const { work, stories } = hand.settings;
  if (root !== null) return await (await import('../recipes/supervise/start/open-root.ts')).openRoot(hand, root, at);
  if (work !== null) return await (await import('../recipes/work/start/open-crew.ts')).openCrew(hand, work, at);
  return stories === null ? {} : await (await import('../recipes/review/start/open-stories.ts')).openStories(hand, stories, at);
}
