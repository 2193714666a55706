import { openCliAgent } from './cli-agent.ts';
import { definitionNamed } from './find-definition.ts';
import type { AgentPort } from '../engine/ports/agent.ts';
import type { WallPort } from '../engine/ports/wall.ts';
import type { ProcessWatch } from '../process/process-watch.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { cacheFolder } from '../store/user-folders.ts';
import type { Workspace } from '../workspace/workspace.ts';

interface Around {
  /** What stands around it; absent for one that is only looked at. */
  readonly wall?: WallPort;
  readonly guardian: ProcessWatch;
  readonly nowMs: () => number;
}

/** The agent CLI a run was told to use, with the environment it may see. */
export function openAgent({ agent, supervise, wall: { mode } }: RunSettings, { env, git }: Pick<Workspace, 'env' | 'git'>, around: Around): AgentPort {
  return openCliAgent({
    definition: definitionNamed(agent.kind),
    command: agent.command,
    flags: agent.flags,
    model: agent.model,
    autonomy: agent.autonomy,
    env,
    // A plain command that is supervised is ended as seed 002 has it.
    ...(supervise !== null && agent.kind === 'command' && { stopWith: 'terminate' as const }),
    asRoot: process.getuid?.() === 0,
    insideGit: git !== null,
    enclosed: mode !== 'guard',
    cacheFolder: cacheFolder(env),
    ...around,
  });
}

/** The same agent, to be looked at only: nobody watches over what it would start. */
export function agentOnPaper(settings: RunSettings, place: Pick<Workspace, 'env' | 'git'>): AgentPort {
  return openAgent(settings, place, { guardian: { watch: () => undefined, forget: () => undefined, left: () => undefined }, nowMs: () => 0 });
}
