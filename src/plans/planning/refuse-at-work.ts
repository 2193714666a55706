import { openGitCli } from '../../workspace/git/git-cli.ts';
import { lockHolder } from '../../store/lock.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { runHome } from '../../store/run-home.ts';

/** Looks only: under a loop nobody replaces the plan it works on. */
export async function refuseWhileAtWork(project: string): Promise<void> {
  await using git = await openGitCli(project, environment());
  const held = await lockHolder(runHome(project, git).workspaceLock);
  if (held === null) return;
  throw new OperatorError('workspace-busy', `run ${held.by.note} is at work in this directory (pid ${held.by.pid} on ${held.by.host})`, {
    hint: 'Wait for it, or stop it with: ralph runs stop',
    exitCode: 4,
  });
}
