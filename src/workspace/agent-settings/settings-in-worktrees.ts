import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { findWorkTree } from '../../sandbox/os/work-tree.ts';
import { type Git, openGitCommand, type Variables } from '../git/git-command.ts';
import { feedGit } from '../git/git-feed.ts';
import { baseRef, headRef } from '../tasks/git-task-base.ts';
import { isUnderWay } from '../tasks/git-task-open.ts';
import { GitTrouble, must, orTrouble } from '../tasks/locks.ts';
import { bringAlong, type WantedWorktree } from '../worktrees/bring-along.ts';
import { keepOnce, type SettingsPlace, shelfOf, showOperatorsSettings, takeSettingsBack } from './shelf.ts';

interface Place extends Pick<SettingsPlace, 'obeyed' | 'base'> {
  /** The operator's work tree, and the operator's current folder in it. */
  readonly root: string;
  readonly cwd: string;
  readonly commonDir: string;
  readonly env: Variables;
  /** The branch that results are merged into. */
  readonly branch: string;
  /** What worktrees get that git does not check out. */
  readonly brought: Pick<WantedWorktree, 'copy' | 'link'>;
}

/** Gives every agent that starts in a worktree the settings that the branch had at the start of the run, whatever earlier agents have made of them. */
export function openSettingsInWorktrees(place: Place): (sandbox: SandboxPort) => SandboxPort {
  const { root, commonDir, base, obeyed } = place;
  const env = withoutGitVariables(place.env);
  let kept: Promise<void> | null = null;
  return (sandbox) => ({
    mode: sandbox.mode,
    async enclose(call) {
      const isOther = call.who !== 'agent' || call.judges || call.ownFolder !== undefined;
      const tree = isOther ? null : await findWorkTree(call.cwd, commonDir);
      if (tree?.own == null || tree.root === root) return await sandbox.enclose(call);
      const { root: at, own } = tree;
      const shelf = shelfOf(commonDir, at);
      const done = await orTrouble(async () => {
        kept ??= keepOnce(base, (half) => checkOut(place, half));
        await kept;
        const inConflict = await conflictsIn(at, own, env);
        showOperatorsSettings({ tree: at, shelf, base, obeyed: obeyed.filter((path) => !inConflict.some((other) => isBelow(other, path))) });
      });
      if (done !== undefined) throw new OperatorError('git-refused', done.why, { hint: `See to ${at}, then resume the run.`, exitCode: 4 });
      // What cannot go back now does when the worktree is next looked at.
      const takeBack = () => orTrouble(async () => takeSettingsBack({ tree: at, shelf }));
      const enclosed = await sandbox.enclose(call).catch(async (error: unknown) => {
        await takeBack();
        throw error;
      });
      return {
        ...enclosed,
        async leave() {
          await enclosed.leave();
          await takeBack();
        },
      };
    },
  });
}

/** Whoever resolves a conflict in these files has to see it. */
async function conflictsIn(root: string, own: string, env: Variables): Promise<readonly string[]> {
  if (!(await isUnderWay({ admin: own }))) return [];
  const listed = await openGitCommand(root, env)([`--git-dir=${own}`, `--work-tree=${root}`, 'ls-files', '--unmerged', '-z']);
  return listed.stdout
    .split('\0')
    .map((line) => line.slice(line.indexOf('\t') + 1))
    .filter(Boolean);
}

const MOST_BYTES = 16 * 1024 * 1024;

/** As `git worktree add` writes them, and with what else comes along into worktrees. */
async function checkOut({ root, cwd, env: given, branch, obeyed, brought }: Place, to: string): Promise<void> {
  const env = withoutGitVariables(given);
  const git = openGitCommand(root, env);
  const index = { GIT_INDEX_FILE: `${to}.index` };
  try {
    const commit = (await commitAt(git, baseRef(branch))) ?? (await commitAt(git, headRef(branch)));
    if (commit === null) throw new GitTrouble(`the branch ${branch} does not exist, or has no commit yet`);
    must(await git(['read-tree', commit], index), 'the base cannot be read');
    const listed = must(await git(['--literal-pathspecs', 'ls-files', '-z', '--', ...obeyed], index), 'the settings of agents cannot be listed');
    const made = await feedGit(
      { cwd: root, env },
      { args: ['checkout-index', '-z', '--stdin', `--prefix=${to}/`], own: index, stdin: listed, mostBytes: MOST_BYTES },
    );
    if (!made.isWhole) throw new GitTrouble(`the settings of agents cannot be checked out: ${made.stderr}`);
  } finally {
    await rm(index.GIT_INDEX_FILE, { force: true });
  }
  const isSetting = (path: string) => obeyed.some((each) => isBelow(path, each) || isBelow(each, path));
  const among = (paths: readonly string[]) => paths.filter((path) => isSetting(relative(root, join(cwd, path))));
  // What is missing was told when the first worktree was made.
  await bringAlong({ copy: among(brought.copy), link: among(brought.link) }, { cwd, from: root, to }, () => undefined);
}

async function commitAt(git: Git, ref: string): Promise<string | null> {
  const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  return code === 0 ? stdout.trim() : null;
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
