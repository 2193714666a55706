import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { GitPort } from '../engine/ports/git.ts';
import { type Captured, capture } from '../kit/process/capture.ts';
import { OperatorError } from '../model/operator-error.ts';

export interface GitCli extends GitPort {
  /** The folder every worktree of the repository shares. */
  readonly commonDir: string;
  /** The folder of this worktree alone. */
  readonly gitDir: string;
  readonly topLevel: string;
}

const TIMEOUT_MS = 120_000;

/** Planted configuration must not run anything while we look. */
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'gc.auto=0'];

/** Null when the folder is in no git work tree, or git itself is missing. */
export async function openGitCli(cwd: string, baseEnv: Readonly<Record<string, string>>): Promise<GitCli | null> {
  const env = withoutGitVariables(baseEnv);
  const git = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    capture({ file: 'git', args: [...QUIET, ...args], cwd, env: { ...env, ...more }, timeoutMs: TIMEOUT_MS });
  const found = await git(['rev-parse', '--git-common-dir', '--git-dir', '--git-path', 'index', '--show-toplevel']);
  const [commonDir, gitDir, indexPath, topLevel] = found.stdout.split('\n');
  if (found.code !== 0 || !commonDir || !gitDir || !indexPath || !topLevel) return null;
  return {
    commonDir: resolve(cwd, commonDir),
    gitDir: resolve(cwd, gitDir),
    topLevel,
    snapshot: () => snapshot(git, resolve(cwd, indexPath)),
  };
}

type Git = (args: readonly string[], more?: Readonly<Record<string, string>>) => Promise<Captured>;

/** The working copy as a tree, made with an index of our own so that what the user has staged stays as it is. */
async function snapshot(git: Git, indexPath: string): Promise<{ head: string | null; tree: string; dirty: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-index-'));
  try {
    const index = join(folder, 'index');
    await copyFile(indexPath, index).catch(() => undefined);
    const own = { GIT_INDEX_FILE: index };
    const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD']);
    const status = must(await git(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all'], own));
    must(await git(['add', '--all', '--ignore-errors', ':/'], own));
    const tree = must(await git(['write-tree'], own)).trim();
    const dirty = status
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.slice(3));
    return { head: head.code === 0 ? head.stdout.trim() : null, tree, dirty };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function must({ code, stdout, stderr }: Captured): string {
  if (code === 0) return stdout;
  throw new OperatorError('git-failed', `git failed: ${stderr.trim().split('\n')[0] ?? 'no reason given'}`, {
    hint: 'Run `git status` in the workspace and repair what it complains about.',
    exitCode: 4,
  });
}

/** A loop started from a git hook must not write into the hook's index or repository. */
function withoutGitVariables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|COMMON_DIR|NAMESPACE)$/.test(name)),
  );
}
