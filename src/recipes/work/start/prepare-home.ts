import { writePlanHome } from '../../../plans/tasks/open-tasks.ts';
import type { SettingsWith } from '../../../settings/schema/run-settings.ts';
import { exclude } from '../../../workspace/git-exclude.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

const LOGS = ['/logs/ralph.jsonl', '/logs/ralph.heartbeat*', '/logs/ralph-worker-*.log', '/logs/task-audit.jsonl'];

/** Prepares what every worktree, and every `ralph task` in one, must find. */
export async function prepareHome(workspace: Workspace, { work }: SettingsWith<'work'>): Promise<void> {
  await workspace.prepare();
  const { git } = workspace;
  if (git === null) return;
  await excludeLogs(git.commonDir);
  await writePlanHome(git.commonDir, { plan: work.plan, home: work.home });
}

/** As before, once it is certain that this machine can still work for its fleet. */
export async function prepareHomeAgain(workspace: Workspace, settings: SettingsWith<'work'>): Promise<void> {
  const { store, plan, base } = settings.work;
  if (store !== undefined && workspace.git !== null) {
    const { checkToResume } = await import('../../../fleet/open-fleet.ts');
    await checkToResume({ store, plan, base }, { topLevel: workspace.git.topLevel, env: workspace.env });
  }
  await prepareHome(workspace, settings);
}

/** The seed's logs are where people look for them; they are in no commit, and do not make the work tree dirty. */
async function excludeLogs(commonDir: string): Promise<void> {
  await exclude(LOGS, 'logs of ralph work', commonDir);
}
