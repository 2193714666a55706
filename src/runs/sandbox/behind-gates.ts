import type { Behind } from '../../workspace/git/git-place.ts';
import { gateEnvironment } from '../../sandbox/environment/agent-environment.ts';
import type { RunAtHand } from '../run-at-hand.ts';
import type { Walls } from './open-walls.ts';

/** What stands around all that runs what an agent wrote, and what it finds in its environment. On the host it finds everything. */
export function behindGates({ workspace, settings }: Pick<RunAtHand, 'workspace' | 'settings'>, { gates }: Walls): Behind {
  const { wall, supervise } = settings;
  const env = wall.gates === 'host' ? workspace.env : gateEnvironment(workspace.env, wall.env);
  return { wall: gates, env: { ...env, ...(supervise && { TASK_FOLDER: supervise.folder }) } };
}
