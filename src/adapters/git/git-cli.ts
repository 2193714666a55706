import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { GitPort, Snapshot } from '../../engine/ports/git.ts';
import { type Captured, capture } from '../../kit/process/capture.ts';
import { OperatorError } from '../../model/operator-error.ts';
import { type GitScratch, openGitScratch } from './git-scratch.ts';

/** Disposing it removes what it keeps in the temporary folder. */
export interface GitCli extends GitPort, AsyncDisposable {
  /** The folder every worktree of the repository shares. */
  readonly commonDir: string;
  /** The folder of this worktree alone. */
  readonly gitDir: string;
  readonly topLevel: string;
}

const TIMEOUT_MS = 120_000;

/** No hook and no file monitor runs, and no index is split: its shared half would land in the user's repository. */
const OUR_WAYS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.splitIndex=false',
  'core.looseCompression=0',
  'gc.auto=0',
  'advice.addEmbeddedRepo=false',
].flatMap((setting) => ['-c', setting]);

/** Null when the folder is in no git work tree, or git itself is missing. Throws when there is a repository that git refuses to read. */
export async function openGitCli(cwd: string, baseEnv: Readonly<Record<string, string>>): Promise<GitCli | null> {
  const env = withoutGitVariables(baseEnv);
  const git: Git = (args, own) =>
    capture({
      file: 'git',
      args: [...OUR_WAYS, ...args],
      cwd,
      timeoutMs: TIMEOUT_MS,
      ...(own ? marked({ ...env, ...own }) : { env: { ...env, LC_ALL: 'C' } }),
    });
  const places = ['--git-common-dir', '--git-dir', '--git-path', 'index', '--git-path', 'objects', '--show-toplevel'];
  const found = await git(['rev-parse', ...places]);
  if (!found.started || isNoWorkTree(found)) return null;
  const [commonDir, gitDir, indexPath, objectsPath, topLevel] = found.stdout.split('\n');
  if (found.code !== 0 || !commonDir || !gitDir || !indexPath || !objectsPath || !topLevel) throw refusal(found, cwd);
  const scratch = openGitScratch({ indexPath: resolve(cwd, indexPath), objectsPath: resolve(cwd, objectsPath) });
  return {
    commonDir: resolve(cwd, commonDir),
    gitDir: resolve(cwd, gitDir),
    topLevel,
    snapshot: () => snapshot(git, scratch),
    tree: async () => (await withTree(git, scratch, async () => null)).tree,
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

type Variables = Readonly<Record<string, string>>;
/** With an index of our own to read and to write, or with none. */
type Git = (args: readonly string[], own?: Variables) => Promise<Captured>;

/**
 * Whatever writes an index may read files once more, and does it through the repository's filters: without them a file that
 * was only touched would get another name. They are commands we did not choose, so what they leave running is ended.
 */
function marked(env: Variables): { env: Variables; marker: string } {
  return { env, marker: `git-${randomUUID()}` };
}

async function snapshot(git: Git, scratch: GitScratch): Promise<Snapshot> {
  const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', 'HEAD']);
  const head = code === 0 ? stdout.trim() : null;
  const { tree, problem, more } = await withTree(git, scratch, (named, own) => dirtyPaths(git, { head, tree: named, own }));
  return { head, tree, dirty: more ?? [], problem };
}

interface Compared {
  readonly head: string | null;
  readonly tree: string;
  readonly own: Variables;
}

/** Compares two trees and no files. */
async function dirtyPaths(git: Git, { head, tree, own }: Compared): Promise<string[]> {
  const names = ['-r', '-z', '--name-only'];
  const { stdout } = await git(head === null ? ['ls-tree', '--full-tree', ...names, tree] : ['diff-tree', '--no-renames', ...names, head, tree], own);
  return stdout.split('\0').filter(Boolean);
}

interface WithTree<T> {
  readonly tree: string | null;
  readonly problem: string | null;
  readonly more: T | null;
}

/** Names the working copy, and asks more about it while its objects are there. */
async function withTree<T>(git: Git, scratch: GitScratch, ask: (tree: string, own: Variables) => Promise<T>): Promise<WithTree<T>> {
  try {
    const own = await scratch.ready();
    const added = await git(['add', '--all', '--ignore-errors', ':/'], own);
    // With 1 it has added all but the files it complains of: unreadable ones, and nested repositories without a commit.
    if (added.code !== 0 && added.code !== 1) return { tree: null, problem: firstComplaint(added), more: null };
    const written = await git(['write-tree', '--missing-ok'], own);
    if (written.code !== 0) return { tree: null, problem: firstComplaint(written), more: null };
    const tree = written.stdout.trim();
    return { tree, problem: added.code === 0 ? null : firstComplaint(added), more: await ask(tree, own) };
  } catch (error) {
    return { tree: null, problem: (error as Error).message, more: null };
  } finally {
    await scratch.empty();
  }
}

function firstComplaint({ stderr }: Captured): string {
  const lines = stderr.trim().split('\n');
  return (lines.find((line) => /^(error|fatal): /.test(line)) ?? lines[0]) || 'git ended without a word';
}

/** Also inside `.git` and in a bare repository: there is nothing to look at. */
function isNoWorkTree({ code, stderr }: Captured): boolean {
  return code !== 0 && /not a git repository \(or any|must be run in a work tree/.test(stderr);
}

function refusal(found: Captured, cwd: string): OperatorError {
  const advice = /git config --global --add safe\.directory .+/.exec(found.stderr)?.[0];
  return new OperatorError('git-refused', `git refuses to read the repository of ${cwd}: ${firstComplaint(found)}`, {
    hint: advice ? `If you trust it, run: ${advice}` : 'Run `git status` there and repair what it complains about.',
    exitCode: 4,
  });
}

/** A loop started from a git hook must not write into the hook's index or repository, nor have its paths read in another way. */
function withoutGitVariables(env: Variables): Record<string, string> {
  const led = /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|[A-Z]+_PATHSPECS)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !led.test(name)));
}
