import { agentEnvironment } from '../agents/agent-access.ts';
import { guardFor } from '../door/guard/guard-for.ts';
import { firstOnPath, writeRalphShim } from '../door/ralph-shim.ts';
import { taskWorktreesOf } from '../settings/schema/recipe-facts.ts';
import type { AgentSpec } from '../settings/schema/sandbox-spec.ts';
import type { OpenedRun } from './opened-run.ts';
import { openRecipe, type Root } from './recipes/parts.ts';
import type { RecipePorts, RunHandles } from './run-handles.ts';
import { warnFunctionOf } from './run-options.ts';

/** Opens what the recipe of a run needs. Every agent learns which run it belongs to and which socket to ask, and has a `ralph` to ask with. */
export async function openRecipePorts(openedRun: OpenedRun, root: Root | null, at: RunHandles): Promise<RecipePorts> {
  const { settings, workspace, runFolder } = openedRun;
  const worktrees = workspace.git && taskWorktreesOf(settings, workspace.git.topLevel);
  const guard = guardFor({
    wall: settings.wall,
    root: at.walls.copy ?? workspace.git?.topLevel ?? workspace.cwd,
    ...(worktrees !== null && { worktrees }),
    door: at.door,
    env: workspace.env,
    warn: warnFunctionOf(openedRun.options),
  });
  const ours = { RALPH_RUN_ID: at.runId, RALPH_SOCKET: at.door, PATH: firstOnPath(await writeRalphShim(runFolder), workspace.env['PATH']) };
  const equip = (agent: AgentSpec) => ({
    agent: guard.guarded(agent),
    env: { ...agentEnvironment(workspace.env, { kind: agent.kind, pass: settings.wall.env.pass, env: agent.env }), ...ours },
  });
  const { agent, env } = equip(settings.agent);
  const plain: RecipePorts = {
    own: {},
    agent,
    agentEnv: env,
    equip,
    watcher: null,
    rooms: null,
    openHooks: guard.openHooks,
  };
  return { ...plain, ...(await openRecipe(openedRun, root, at)) };
}
