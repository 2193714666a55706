import { dirname } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import type { Landing, RunSettings } from '../../settings/schema/run-settings.ts';
import { isCommit, isGit } from '../../settings/schema/scm-words.ts';
import { openGitCli } from '../git/git-cli.ts';
import { openGitCommand, type Variables } from '../git/git-command.ts';
import { gitAt } from '../git/plain-repository.ts';
import { followBase } from '../tasks/follow.ts';
import { headRef } from '../tasks/git-task-base.ts';
import { openTaskGit } from '../tasks/git-task-place.ts';
import { orTrouble } from '../tasks/locks.ts';
import type { Workspace } from '../workspace.ts';
import { removeRootIfEmpty } from './make-worktree.ts';

/** The branch that is to follow: the one that is checked out where the run is started. Refuses a run whose results could never land. */
export async function branchToFollow({ git, env, cwd }: Workspace, { scm }: Pick<RunSettings, 'scm'>): Promise<string> {
  if (git === null) throw refused('git-required', `landing needs a git repository, and ${cwd} is in none`, 'Run `git init` and make a first commit.', 4);
  if (scm === null || !isGit(scm) || !scm.tasks.some(isCommit))
    throw refused(
      'landing-needs-commits',
      'only commits can land later, and this run makes none',
      'Add the SCM task commit (in a loop: --commit), or use --landing each.',
      2,
    );
  const here = gitAt(git.topLevel, env);
  const { code, stdout } = await here(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (code !== 0) throw refused('detached-head', 'HEAD is detached, so there is no branch that results could land on', 'Check out a branch first.', 2);
  if ((await here(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).code !== 0)
    throw refused('no-commit', 'this repository has no commit yet, so results have nothing to land on', 'Make a first commit.', 4);
  return stdout.trim();
}

function refused(code: string, message: string, hint: string, exitCode: 2 | 4): OperatorError {
  return new OperatorError(code, message, { hint, exitCode });
}

/**
 * Brings the operator's branch forward to what the run has committed, and the files where that branch is checked out. Only a fast-forward, and never over a
 * change of the operator's. It may be repeated. Null, or why it cannot.
 */
export async function land({ into, worktree: { repository, path, branch } }: Landing, run: string, given: Variables): Promise<string | null> {
  const env = withoutGitVariables(given);
  const place = { git: openGitCommand(repository, env), env, topLevel: repository, cwd: repository, base: into, run };
  const ground = openTaskGit({ ...place, worktreesRoot: dirname(path), mergeFolder: '', furnish: async () => null });
  const heads = await gitAt(path, env)(['rev-parse', 'HEAD', headRef(branch)]);
  const [head, tip] = heads.stdout.split('\n');
  if (heads.code !== 0 || head !== tip) return `what is checked out in ${path} is not on the branch ${branch}`;
  const done = await orTrouble(() => followBase(ground, headRef(branch)));
  return done !== null && typeof done === 'object' ? done.why : done;
}

/** Removes the worktree and the branch of a run whose commits have all landed, unless something in it is not committed. Null, or why it stays. */
export async function removeLanded({ worktree: { repository, path } }: Landing, env: Variables): Promise<string | null> {
  await using git = await openGitCli(repository, env);
  if (git === null) return `${repository} is no repository any more`;
  const done = await orTrouble(async () => {
    await git.worktrees.remove(path, { force: false, branch: 'delete' });
    await removeRootIfEmpty(dirname(path));
    return null;
  }).catch((error: unknown) => {
    if (error instanceof OperatorError) return { kind: 'trouble' as const, why: error.message };
    throw error;
  });
  return done?.why ?? null;
}
