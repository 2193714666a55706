import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StoryPorts } from '../../../engine/ports/ports.ts';
import type { Projection } from '../../../engine/projection.ts';
import { keepActiveMarker } from '../projections/active-marker.ts';
import type { OpenHooks } from '../../../door/door.ts';
import type { Scope } from '../../../kit/async/scope.ts';
import { packagePath } from '../../../kit/files/package-root.ts';
import type { ProcessWatch } from '../../../process/process-watch.ts';
import { shellQuote } from '../../../kit/pure/shell-quote.ts';
import type { AgentSpec } from '../../../settings/schema/agent-spec.ts';
import type { StoriesSpec } from '../../../settings/schema/stories-spec.ts';
import { doorPath } from '../../../door/door-path.ts';
import { agentEnvironment } from '../../../sandbox/environment/agent-environment.ts';
import { HOOK_ENTRY } from '../../../kit/files/hook-entry.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import { firstOnPath, writeRalphShim } from '../../../door/ralph-shim.ts';
import type { RunAtHand } from '../../../runs/run-at-hand.ts';
import { warner } from '../../../runs/run-options.ts';
import { behindGates } from '../../../runs/sandbox/behind-gates.ts';
import type { Walls } from '../../../runs/sandbox/open-walls.ts';
import { HOOKS_BY_LOOP, HOOKS_VARIABLE } from '../../../door/answer-hooks/hook-command.ts';
import { hookFlags } from './hook-flags.ts';
import { openHookRoom } from './hook-room.ts';
import { openGround } from '../../../workspace/stories/open-ground.ts';

interface AtWork {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly guardian: ProcessWatch;
  readonly door: string;
  readonly scope: Scope;
  readonly walls: Walls;
}

interface Surroundings {
  readonly stories: StoryPorts;
  readonly agent: AgentSpec;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly openHooks: OpenHooks;
}

/** `.ralph-active`, as seed 003 has it. */
export function markerOf(home: string): string {
  return join(home, '.ralph-active');
}

/** All that is around stories while they are worked on. */
export async function openStories(hand: RunAtHand, spec: StoriesSpec, at: AtWork): Promise<Surroundings> {
  const { workspace, runFolder, options, settings, clock } = hand;
  const ground = openGround(workspace, spec, { ...at, pins: at.walls.pins, behind: behindGates(hand, at.walls), signal: options.signal });
  at.scope.defer(() => ground[Symbol.asyncDispose]());
  const binFolder = await writeRalphShim(runFolder);
  const envOf = ({ kind }: AgentSpec) => ({
    ...agentEnvironment(workspace.env, { agentKind: kind, pass: settings.wall.env.pass }),
    RALPH_RUN_ID: at.runId,
    RALPH_SOCKET: at.door,
    PATH: firstOnPath(binFolder, workspace.env['PATH']),
  });
  const hooked = (agent: AgentSpec) => withHooks(agent, envOf(agent), { isWanted: spec.hooks, door: at.door, warn: warner(options) });
  const open = async ({ agent, env }: HookedAgent) =>
    openAgent({ ...settings, agent }, { env, git: workspace.git }, { guardian: at.guardian, nowMs: clock.nowMs, wall: await at.walls.around(agent.kind) });
  const { agent, env } = hooked(settings.agent);
  return {
    stories: {
      ground,
      reviewer: spec.reviewAgent && (await open(hooked(spec.reviewAgent))),
      template: await readFile(packagePath('templates', 'prompt.md'), 'utf8'),
    },
    agent,
    agentEnv: env,
    openHooks: (tell, state) =>
      openHookRoom({
        state,
        tell,
        spec,
        wall: settings.wall,
        readPlan: ground.readPlan,
        env: workspace.env,
        beforeGit: async () => await at.walls.pins?.mendSettings(),
        ours: [runFolder, dirname(HOOK_ENTRY)],
        warn: warner(options),
      }),
  };
}

interface HookedAgent {
  readonly agent: AgentSpec;
  readonly env: Readonly<Record<string, string>>;
}

interface HookWish {
  readonly isWanted: boolean;
  readonly door: string;
  readonly warn: (text: string) => void;
}

/** Only claude takes hooks on its command line. One that has settings of the operator's there keeps those: the loop looks after every attempt all the same. */
function withHooks(agent: AgentSpec, env: HookedAgent['env'], { isWanted, door, warn }: HookWish): HookedAgent {
  if (!isWanted || agent.kind !== 'claude') return { agent, env };
  if (agent.flags.some((flag) => /^--(settings|bare)\b/.test(flag))) {
    warn('the agent has --settings of its own, so its hooks are not wired; the loop checks after every attempt all the same');
    return { agent, env };
  }
  // Flags are read as a shell reads words.
  const flags = [...hookFlags({ doorPath: door, hookEntry: HOOK_ENTRY, node: process.execPath }).map(shellQuote), ...agent.flags];
  return { agent: { ...agent, flags }, env: { ...env, [HOOKS_VARIABLE]: HOOKS_BY_LOOP } };
}

/** The seed's marker, for whoever looks for it; the loop itself never reads it. */
export function storyViews({ settings, clock, options, runFolder, workspace }: RunAtHand): readonly Projection[] {
  const { stories: spec, maximumIterations: maxIterations } = settings;
  const mode = settings.wall.mode === 'guard' ? 'direct' : 'sandbox';
  if (spec === null) return [];
  const socket = doorPath(basename(runFolder), workspace.env);
  return [keepActiveMarker(markerOf(spec.home), { spec, maxIterations, mode, socket, nowMs: clock.nowMs, warn: warner(options) })];
}
