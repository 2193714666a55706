import { resolve } from 'node:path';
import type { GitPort } from '../../engine/ports/git.ts';
import type { GitHistory } from '../../engine/ports/git-history.ts';
import type { Captured } from '../../process/capture.ts';
import type { ProcessWatch } from '../../process/process-watch.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { firstComplaint, openGitCommand, type Variables } from './git-command.ts';
import { commit } from './git-commit.ts';
import { findCommit } from './git-find-commit.ts';
import { openHistory } from './git-history.ts';
import { type OutsideEnvironment, outsideEnvironment } from './git-host-hooks.ts';
import { look } from './git-look.ts';
import { obstacle } from './git-obstacle.ts';
import type { Behind } from './git-place.ts';
import { openGitScratch } from './git-scratch.ts';
import { snapshot, treeOfWorkingCopy } from './git-tree.ts';
import { type GitWorktrees, openWorktrees } from '../worktrees/git-worktrees.ts';
import type { Pins } from '../pins/pinned-config.ts';

/** All that can be asked without running what the user's hooks run. Disposing it removes what it keeps in the temporary folder. */
export interface GitCli extends Omit<GitPort, 'commit'>, AsyncDisposable {
  /** The folder every worktree of the repository shares. */
  readonly commonDir: string;
  /** The folder of this worktree alone. */
  readonly gitDir: string;
  readonly topLevel: string;
  readonly history: GitHistory;
  readonly worktrees: GitWorktrees;
  /** The words are the user's for git, which may name an author. */
  obstacle(words?: readonly string[]): Promise<string | null>;
  /** The whole port: hooks may start anything, so whoever commits says who is told of it, and what stands around them. */
  guardedBy(guardian: ProcessWatch, behind?: Behind | null): GitPort;
  /** What a git finds in its environment that has to run outside of the wall: no hook that an agent may have written. */
  outside(env: Variables): Promise<OutsideEnvironment>;
  /** From now on every git of ours has what it obeys mended first. */
  pinnedBy(pins: Pick<Pins, 'mendSettings'>): void;
}

/** Null when the folder is in no git work tree, or git itself is missing. Throws when there is a repository that git refuses to read. */
export async function openGitCli(cwd: string, baseEnv: Readonly<Record<string, string>>): Promise<GitCli | null> {
  const env = withoutGitVariables(baseEnv);
  let pins: Pick<Pins, 'mendSettings'> | null = null;
  const git = openGitCommand(cwd, env, async () => await pins?.mendSettings());
  const places = ['--git-common-dir', '--git-dir', '--git-path', 'index', '--git-path', 'objects', '--show-toplevel'];
  const found = await git(['rev-parse', ...places]);
  if (!found.started || isNoWorkTree(found)) return null;
  const [commonDir, gitDir, indexPath, objectsPath, topLevel] = found.stdout.split('\n');
  if (found.code !== 0 || !commonDir || !gitDir || !indexPath || !objectsPath || !topLevel) throw refusal(found, cwd);
  const scratch = openGitScratch({ indexPath: resolve(cwd, indexPath), objectsPath: resolve(cwd, objectsPath) });
  const place = { git, cwd, env, gitDir: resolve(cwd, gitDir) };
  const asked = {
    snapshot: () => snapshot(git, scratch),
    tree: () => treeOfWorkingCopy(git, scratch),
    look: () => look(git, scratch),
    obstacle: (words: readonly string[] = ['git']) => obstacle(place, words),
    findCommit: (wish) => findCommit(git, wish),
  } satisfies Omit<GitPort, 'commit'>;
  return {
    ...asked,
    commonDir: resolve(cwd, commonDir),
    gitDir: place.gitDir,
    topLevel,
    history: openHistory({ ...place, scratch, topLevel }),
    worktrees: openWorktrees(git, topLevel),
    guardedBy: (guardian, behind = null) => ({
      ...asked,
      commit: (wish, signal) => commit({ ...place, scratch, indexPath: resolve(cwd, indexPath), guardian, behind }, wish, signal),
    }),
    outside: (found) => outsideEnvironment({ git, topLevel, commonDir: resolve(cwd, commonDir) }, found),
    pinnedBy(found) {
      pins = found;
    },
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

/** Also inside `.git` and in a bare repository: there is nothing to look at. */
function isNoWorkTree({ code, stderr }: Captured): boolean {
  return code !== 0 && /not a git repository \(or any|must be run in a work tree|cannot use bare repository/.test(stderr);
}

function refusal(found: Captured, cwd: string): OperatorError {
  const advice = /git config --global --add safe\.directory .+/.exec(found.stderr)?.[0];
  return new OperatorError('git-refused', `git refuses to read the repository of ${cwd}: ${firstComplaint(found)}`, {
    hint: advice ? `If you trust it, run: ${advice}` : 'Run `git status` there and repair what it complains about.',
    exitCode: 4,
  });
}
