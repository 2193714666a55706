import { writePlanHome } from '../../../plans/tasks/open-tasks.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { exclude } from '../../../workspace/git-exclude.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

const LOGS = ['/logs/ralph.jsonl', '/logs/ralph.heartbeat*', '/logs/ralph-worker-*.log', '/logs/task-audit.jsonl'];

/** Prepares what every worktree, and every `ralph task` in one, must find. */
export async function prepareHome(workspace: Workspace, { work }: RunSettings): Promise<void> {
  await workspace.prepare();
  const { git } = workspace;
  if (git === null || work === null) return;
  await excludeLogs(git.commonDir);
  await writePlanHome(git.commonDir, { plan: work.plan, home: work.home });
}

/** The seed's logs are where people look for them; they are in no commit, and do not make the work tree dirty. */
async function excludeLogs(commonDir: string): Promise<void> {
  await exclude(LOGS, 'logs of ralph work', commonDir);
}
