import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Changes, GitHistory, GitPort } from '../../engine/ports/git.ts';
import { gitVariables } from '../../kit/pure/git-variables.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Captured } from '../../process/capture.ts';
import type { ProcessWatch } from '../../process/process-request.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { type GitWorktrees, openWorktrees } from '../worktrees/git-worktrees.ts';
import { commit, findCommit } from './commit/commit.ts';
import { obstacle } from './commit/git-obstacle.ts';
import { bytesOf, bytesOfAll, checkOut, listTree } from './git-checkout.ts';
import { firstComplaint, type Git, noHigherThan, openGitCommand, type Variables } from './git-command.ts';
import { feedGit } from './git-feed.ts';
import { readNote, writeNote } from './git-notes.ts';
import { type Behind, type HistoryPlace, headIn, nothingKnown } from './git-place.ts';
import { revertedBy, revertTo } from './git-revert.ts';
import { openGitScratch } from './git-scratch.ts';
import { addAll, snapshot, treeOfWorkingCopy } from './git-tree.ts';
import { lookSince } from './without-dirt.ts';

/** Everything that Ralph can ask git without running the operator's hooks. Disposing it removes its files in the temporary folder. */
export interface GitCli extends Omit<GitPort, 'commit'>, AsyncDisposable {
  /** The folder that all worktrees of the repository share. */
  readonly commonDir: string;
  /** The folder of this worktree only. */
  readonly gitDir: string;
  readonly topLevel: string;
  readonly history: GitHistory;
  readonly worktrees: GitWorktrees;
  /** The words are the operator's git command, which may name an author. */
  obstacle(words?: readonly string[]): Promise<string | null>;
  /** The whole port. Hooks may start anything, so whoever commits names the guardian that watches them and the sandbox around them. */
  guardedBy(guardian: ProcessWatch, behind?: Behind | null): GitPort;
  /** The environment for a git that has to run outside the sandbox: no hook runs that an agent may have written. */
  outside(env: Variables): Promise<OutsideEnvironment>;
}

/** Null if the folder is not in a git work tree, or git is missing. Throws if git refuses to read the repository. */
export async function openGitCli(cwd: string, baseEnv: Readonly<Record<string, string>>): Promise<GitCli | null> {
  const places = ['--git-common-dir', '--git-dir', '--git-path', 'index', '--git-path', 'objects', '--show-toplevel'];
  const found = await openGitCommand(cwd, withoutGitVariables(baseEnv))(['rev-parse', ...places]);
  if (!found.started || isNoWorkTree(found)) return null;
  const [commonDir, gitDir, indexPath, objectsPath, topLevel] = found.stdout.split('\n');
  if (found.code !== 0 || !commonDir || !gitDir || !indexPath || !objectsPath || !topLevel) throw refusal(found, cwd);
  const env = noHigherThan(topLevel, withoutGitVariables(baseEnv));
  const git = openGitCommand(cwd, env);
  const scratch = openGitScratch({ indexPath: resolve(cwd, indexPath), objectsPath: resolve(cwd, objectsPath), topLevel });
  const place = { git, cwd, env, gitDir: resolve(cwd, gitDir), commonDir: resolve(cwd, commonDir), known: nothingKnown(), scratch };
  const asked = {
    snapshot: (isKept) => snapshot(place, isKept),
    tree: async () => (await treeOfWorkingCopy(place)).tree,
    look: (start) => lookSince(place, start),
    obstacle: (words: readonly string[] = ['git']) => obstacle(place, words),
    findCommit: (request) => findCommit(git, request),
  } satisfies Omit<GitPort, 'commit'>;
  return {
    ...asked,
    commonDir: place.commonDir,
    gitDir: place.gitDir,
    topLevel,
    history: openHistory({ ...place, topLevel }),
    worktrees: openWorktrees(git, topLevel),
    guardedBy: (guardian, behind = null) => ({
      ...asked,
      commit: (wish, signal) => commit({ ...place, indexPath: resolve(cwd, indexPath), guardian, behind }, wish, signal),
    }),
    outside: (found) => outsideEnvironment({ git, topLevel, commonDir: place.commonDir }, found),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

/** True also inside `.git` and in a bare repository: neither has a work tree. */
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

function openHistory(place: HistoryPlace): GitHistory {
  return {
    changesSince: (tree) => changesSince(place, tree),
    revert: (tree, patterns, keptRef) => revertTo(place, { tree, patterns, keptRef }),
    revertedPaths: (tree, patterns, keptRef) => revertedBy(place, { tree, patterns, keptRef }),
    checkOut: (tree, request) => checkOut(place, tree, request),
    below: async () => relative(place.topLevel, await realpath(place.cwd)),
    filesIn: async (tree) => (await listTree(place, tree)).files,
    bytesOf: (id) => bytesOf(place, id),
    bytesOfAll: (ids) => bytesOfAll(place, ids),
    writeNote: (commit, text) => writeNote(place, commit, text),
    readNote: (commit) => readNote(place, commit),
  };
}

/** The environment of a git that has to run outside the sandbox, with the operator's keys and network. */
export interface OutsideEnvironment {
  readonly env: Variables;
  /** The folder whose hooks do not run, so that Ralph can tell the operator; null if all hooks run. */
  readonly silenced: string | null;
}

interface Place {
  readonly git: Git;
  readonly topLevel: string;
  readonly commonDir: string;
}

/**
 * An agent may have written hooks that are files of the work tree, as with `core.hooksPath=.husky`. They do not run outside the sandbox, not even for a push.
 * Hooks in git's own folder are the operator's and do run.
 */
async function outsideEnvironment({ git, topLevel, commonDir }: Place, env: Variables): Promise<OutsideEnvironment> {
  const { stdout } = await git(['config', '--type=path', '--show-scope', '-z', '--get-all', 'core.hooksPath']);
  const fields = stdout.split('\0');
  // Skips our own `-c core.hooksPath`, which is not a setting of the operator.
  const set = fields.filter((_, index) => index % 2 === 1 && fields[index - 1] !== 'command').at(-1);
  if (set === undefined) return { env, silenced: null };
  const named = resolve(topLevel, set);
  const hooks = await realpath(named).catch(() => named);
  const isWithinReach = [named, hooks].some((path) => isInside(topLevel, path) && !isInside(commonDir, path));
  return isWithinReach ? { env: { ...env, ...gitVariables([['core.hooksPath', '/dev/null']], env) }, silenced: named } : { env, silenced: null };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

/** More than any prompt shows. */
const MOST_PATCH_BYTES = 64 * 1024;
/** The most files that are listed. The summary line always has the full count. */
const MOST_STAT_LINES = 100;
const MOST_STAT_BYTES = 64 * 1024;

/**
 * Plumbing commands, which ignore the operator's diff settings: no colours, no other tools, no missing prefixes. A moved file is shown as moved, since its
 * text twice would leave no space for the rest. A file above the threshold counts as binary.
 */
const SHOWN = [
  ...['-c', 'core.quotePath=false', '-c', 'core.bigFileThreshold=16m', 'diff-index', '--cached'],
  ...['--patch', `--stat=200,150,${MOST_STAT_LINES}`, '--stat-graph-width=20', '--find-renames', '-l400'],
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short'],
];

/** Reads the files into our own index and compares that, so that no tree has to be written. */
async function changesSince(place: HistoryPlace, tree: string): Promise<Changes | null> {
  const { git, cwd, env, scratch, known } = place;
  try {
    const own = await scratch.lending();
    const isClean = known.cleanIndex === `${await headIn(place)} ${scratch.keptFrom}`;
    if (!(await addAll(git, own, { isClean, ownOutput: scratch.ownOutput })).isAdded) return null;
    const fed = await feedGit({ cwd, env }, { args: [...SHOWN, tree, '--'], own, mostBytes: MOST_STAT_BYTES + MOST_PATCH_BYTES });
    return fed.isGood ? shown(fed.stdout, fed.isWhole) : null;
  } catch {
    return null;
  } finally {
    await scratch.empty();
  }
}

/** An empty line separates the two. The list has none, because git quotes names with line breaks. */
function shown(printed: Buffer, isWhole: boolean): Changes {
  const end = printed.indexOf('\n\n');
  const stat = printed.toString('utf8', 0, end === -1 ? printed.length : end + 1);
  const patch = end === -1 ? Buffer.alloc(0) : printed.subarray(end + 2);
  if (isWhole && patch.length <= MOST_PATCH_BYTES) return { stat, patch: patch.toString(), isWhole: true };
  const cut = patch.subarray(0, MOST_PATCH_BYTES);
  return { stat, patch: cut.toString('utf8', 0, cut.lastIndexOf('\n') + 1), isWhole: false };
}
