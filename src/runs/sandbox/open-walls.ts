import { openPins, type Pins } from '../../workspace/pins/pinned-config.ts';
import { openGuardWall, pinsAround } from '../../sandbox/open-guard-wall.ts';
import type { WallPort, WallRefusal } from '../../engine/ports/wall.ts';
import type { Scope } from '../../kit/async/scope.ts';
import type { WallSpec } from '../../settings/schema/wall.ts';
import { NOBODY } from '../../sandbox/environment/vendor-variables.ts';
import type { RunAtHand } from '../run-at-hand.ts';
import { warner } from '../run-options.ts';
import { openWall } from './open-wall.ts';

interface WallWish {
  readonly runId: string;
  /** Where the run answers, and where the one answers that it came from. */
  readonly doors: readonly string[];
  readonly scope: Scope;
  readonly onRefused: (refusal: WallRefusal) => void;
}

/** What stands around the agents of a run, and around its gates. */
export interface Walls {
  /** Each kind of agent has its own login and its own model. */
  readonly around: (agentKind: string) => Promise<WallPort>;
  readonly gates: WallPort;
  /** What git obeys; null without a repository. */
  readonly pins: Pins | null;
}

/** Opens the wall of the settings, never another one. All of it is closed with the scope. */
export async function openWalls(hand: RunAtHand, wish: WallWish): Promise<Walls> {
  const { settings, workspace, runFolder, options } = hand;
  const { onRefused } = wish;
  const place = { workspace, settings, runFolder, warn: warner(options), isChild: settings.supervise?.parent != null };
  const pins = await pinsOf(hand, settings.wall);
  const guard = openGuardWall({ pins, onRefused });
  const opened = new Map<string, Promise<WallPort>>();
  const open = async (agentKind: string): Promise<WallPort> => {
    const wall = await openWall(place, agentKind, { ...wish, name: `${wish.runId}-${agentKind}` });
    if (wall === null) return guard;
    wish.scope.defer(() => wall[Symbol.asyncDispose]());
    return pins === null ? wall : pinsAround(wall, pins, onRefused);
  };
  const around = (kind: string) => {
    const agentKind = settings.wall.login === 'none' ? NOBODY : kind;
    const known = opened.get(agentKind) ?? open(agentKind);
    opened.set(agentKind, known);
    return known;
  };
  return { around, gates: settings.wall.gates === 'host' ? guard : await around(settings.agent.kind), pins };
}

async function pinsOf({ workspace: { git, cwd, env }, runFolder }: RunAtHand, { mode, gates }: WallSpec): Promise<Pins | null> {
  if (git === null) return null;
  const { commonDir, gitDir, topLevel } = git;
  // Only the wall of the operating system keeps them from being written; and gates on the host are behind none.
  const agentsReach = mode === 'os' && gates === 'inside' ? 'new-files' : 'everything';
  return await openPins({ commonDir, gitDir, topLevel, cwd, env, runFolder, agentsReach });
}
