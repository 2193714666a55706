import { openShell } from '../sandbox/command-shell.ts';
import type { CrewPorts, Ports, StoryPorts, Supervision } from '../engine/ports/ports.ts';
import type { Projection } from '../engine/projection.ts';
import type { WallRefusals } from '../sandbox/wall-refusals.ts';
import type { ProcessWatch } from '../process/process-watch.ts';
import { sweepMarked } from '../process/sweep.ts';
import type { AgentSpec } from '../settings/schema/agent-spec.ts';
import { watchSpec } from '../settings/changed-spec.ts';
import type { Mask } from '../sandbox/environment/open-mask.ts';
import { noGit, noHistory } from '../workspace/no-git.ts';
import { openAgent } from '../agents/open-agent.ts';
import type { RunAtHand } from './run-at-hand.ts';
import { behindGates } from './sandbox/behind-gates.ts';
import { hostEnvironment } from './sandbox/host-environment.ts';
import type { Walls } from './sandbox/open-walls.ts';
import { refusedWriteIn } from '../sandbox/refused-writes.ts';

interface Helpers {
  readonly runId: string;
  readonly mask: Mask;
  readonly watch: ProcessWatch;
  readonly walls: Walls;
  readonly refuse: WallRefusals['refuse'];
  readonly projections: readonly Projection[];
  readonly markerPrefix: string;
  readonly changedSettings: Ports['changedSettings'];
  readonly supervision: Supervision | null;
  readonly crew: CrewPorts | null;
  readonly stories: StoryPorts | null;
  /** As the settings name it, with what this run adds to its command line. */
  readonly agent: AgentSpec;
  /** What the agent finds in its environment. */
  readonly agentEnv: Readonly<Record<string, string>>;
}

/** The world as the effects of this run are given it. */
export async function openPorts(hand: RunAtHand, helpers: Helpers): Promise<Ports> {
  const { workspace, settings, clock, runFolder, options } = hand;
  const { runId, mask, watch, walls, refuse, projections, markerPrefix, changedSettings, supervision, crew, stories, agent, agentEnv } = helpers;
  const behind = behindGates(hand, walls);
  const wall = await walls.around(agent.kind);
  return {
    clock,
    settings,
    supervision,
    crew,
    stories,
    agent:
      options.openAgent?.(agent, agentEnv) ??
      openAgent({ ...settings, agent }, { env: agentEnv, git: workspace.git }, { guardian: watch, nowMs: clock.nowMs, wall }),
    command: openShell({ ...behind, hostEnv: await hostEnvironment(hand), mask: mask.openStream, guardian: watch }),
    git: workspace.git?.guardedBy(watch, behind) ?? noGit,
    history: workspace.git?.history ?? noHistory,
    processes: {
      async reap(known) {
        watch.left(await sweepMarked(`${runId}~`, known));
      },
    },
    place: { markerPrefix, workspace: workspace.cwd, runFolder, viewFolder: workspace.home.viewFolder },
    changedSettings,
    changedSpec: watchSpec(settings.prompt.from === 'text' ? settings.prompt.text : ''),
    show: (attempt, event) => {
      const refused = settings.wall.mode === 'os' ? refusedWriteIn(event, agent.kind === 'command') : null;
      if (refused !== null) refuse(refused);
      const told = mask.told(attempt, event);
      for (const projection of projections) projection.onAgentEvent?.(attempt, told);
    },
    tell: (progress) => {
      for (const projection of projections) projection.onProgress?.(progress);
    },
  };
}
