import { guardFor } from '../door/guard/guard-for.ts';
import { agentEnvironment } from '../sandbox/environment/agent-environment.ts';
import type { OpenedRun } from './opened-run.ts';
import { openRecipe, type Root } from './recipes/parts.ts';
import type { RecipePorts, RunHandles } from './run-handles.ts';
import { warnFunctionOf } from './run-options.ts';

/** Opens what the recipe of a run needs. Every agent learns which run it belongs to and which socket to ask. */
export async function openRecipePorts(openedRun: OpenedRun, root: Root | null, at: RunHandles): Promise<RecipePorts> {
  const { settings, workspace } = openedRun;
  const guard = guardFor({
    wall: settings.wall,
    root: at.walls.copy ?? workspace.git?.topLevel ?? workspace.cwd,
    ...(settings.work !== null && workspace.git && { worktrees: settings.work.worktree.root ?? `${workspace.git.topLevel}.ralph` }),
    door: at.door,
    env: workspace.env,
    warn: warnFunctionOf(openedRun.options),
  });
  const plain: RecipePorts = {
    supervision: null,
    work: null,
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
  return { ...plain, ...(await openRecipe(openedRun, root, at)) };
}
