import { OperatorError } from '../kit/pure/operator-error.ts';
import type { GitCli } from './git/git-cli.ts';
import { gitAt } from './git/plain-repository.ts';
import type { Workspace } from './workspace.ts';
import { BRANCH_PREFIX } from './worktrees/own-worktree.ts';

/** `ralph work` needs a repository, because every task has its own branch. */
export function withGit({ git, cwd }: Workspace): GitCli {
  if (git) return git;
  throw refused('git-required', `a plan is worked on in branches, and ${cwd} is in no git repository`, 'Run `git init` and make a first commit.', 4);
}

/** Refuses a loop that an agent starts in the worktree of its own task: that loop would wait for this very task. */
export function refuseAgents({ env }: Workspace): void {
  const task = env['RALPH_TASK_ID'];
  if (task) throw refused('task-at-hand', `you work on ${task}: its loop gives out the other tasks`, 'Complete it, or end and say what is in the way.', 2);
}

/** The branch that results are merged into: the one that is checked out here. */
export async function baseBranch({ env }: Workspace, git: GitCli): Promise<string> {
  const here = gitAt(git.topLevel, env);
  const { code, stdout } = await here(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (code !== 0) throw refused('detached-head', 'HEAD is detached, so there is no branch to merge results into', 'Check out a branch first.', 2);
  const branch = stdout.trim();
  if (branch.startsWith(BRANCH_PREFIX))
    throw refused(
      'base-is-ours',
      `${branch} is a branch of ralph's own, and goes when its task is merged`,
      'Go to the work tree where your own branch is checked out.',
      2,
    );
  if ((await here(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).code !== 0)
    throw refused('no-commit', 'this repository has no commit yet, and a task starts from one', 'Make a first commit, with the plan in it.', 4);
  return branch;
}

/** Refuses a plan that is not committed, because no merge could record in it that a task is complete. */
export async function refuseUncommittedPlan({ env }: Workspace, git: GitCli, path: string): Promise<void> {
  const { stdout } = await gitAt(git.topLevel, env)(['ls-tree', '--name-only', 'HEAD', '--', `${path}`]);
  if (stdout.trim() !== '') return;
  throw refused(
    'plan-not-committed',
    `the plan ${path} is not committed, so no result could say in it that a task is complete`,
    'Add it with git and commit it.',
    2,
  );
}

/** The first git version that can merge without a work tree. */
const MERGES_TREES = [2, 38] as const;

export async function refuseOldGit({ env }: Pick<Workspace, 'env'>, { topLevel }: Pick<GitCli, 'topLevel'>): Promise<void> {
  const { stdout } = await gitAt(topLevel, env)(['version']);
  const [, version = '', major = '', minor = ''] = /^git version ((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
  const [wanted, atLeast] = MERGES_TREES;
  if (version === '' || Number(major) > wanted || (Number(major) === wanted && Number(minor) >= atLeast)) return;
  throw refused('git-too-old', `git ${version} cannot merge results without a work tree: \`ralph work\` needs git 2.38 or later`, 'Install a newer git.', 4);
}

const MOST_PATHS = 5;

/** Refuses uncommitted changes: the worktrees of tasks do not contain them, and they keep the branch from following the base. */
export async function refuseDirt(git: GitCli, allowDirty: boolean, fate = 'no task will see them'): Promise<void> {
  if (allowDirty) return;
  const dirty = (await git.snapshot())?.dirty ?? [];
  if (dirty.length === 0) return;
  const shown = dirty.slice(0, MOST_PATHS).join(', ');
  const more = dirty.length > MOST_PATHS ? ` and ${dirty.length - MOST_PATHS} more` : '';
  throw refused(
    'dirty-base',
    `this work tree has changes that are not committed: ${shown}${more}`,
    `Commit or stash them, or start with --allow-dirty: ${fate}.`,
    2,
  );
}

function refused(code: string, message: string, hint: string, exitCode: 2 | 4): OperatorError {
  return new OperatorError(code, message, { hint, exitCode });
}
