import { readFile } from 'node:fs/promises';
import type { CommitRequest } from '../../../engine/ports/git.ts';
import { firstComplaint, GIT_TIMEOUT_MS, type Git, headOf, isLocked, NOTHING_RUN, untilFree } from '../git-command.ts';
import { feedGit } from '../git-feed.ts';
import type { CommitPlace, HistoryPlace } from '../git-place.ts';
import { type Entry, rawPaths, type TouchedPath } from '../git-touched.ts';
import { unmerged } from './git-obstacle.ts';
import { type CommandAnswer, runUsersCommand } from './git-users-command.ts';

/**
 * Makes the operator's index that tree. It keeps its data about unchanged files and about files that are not checked out; the working copy is not looked at
 * (-i). It goes by way of the parent's tree: an empty file that is only marked to be added (`git add -N`) would count as the same and be missing in the
 * commit.
 */
export async function putIntoIndex(place: CommitPlace, request: CommitRequest, signal: AbortSignal): Promise<CommandAnswer> {
  if (await isOfPlainEntries(place.indexPath)) return await readTree(place, [...INTO_INDEX, request.tree], request, signal);
  const from = await readTree(place, request.parent === null ? ['--empty'] : [...INTO_INDEX, `${request.parent}^{tree}`], request, signal);
  return from.isClean ? await readTree(place, [...INTO_INDEX, request.tree], request, signal) : from;
}

/** The format of an index of version 2 cannot mark a file that is only meant to be added. */
async function isOfPlainEntries(indexPath: string): Promise<boolean> {
  const index = await readFile(indexPath).catch(() => null);
  return index !== null && index.length > 12 && index.toString('latin1', 0, 4) === 'DIRC' && index.readUInt32BE(4) === 2 && !index.includes('link');
}

const INTO_INDEX = ['-i', '-m', '--no-recurse-submodules'];

/** A split index stays split. The log of the commit replaces this log. */
async function readTree(
  { git, cwd, env, guardian, indexPath }: CommitPlace,
  trees: readonly string[],
  request: CommitRequest,
  signal: AbortSignal,
): Promise<CommandAnswer> {
  const args = [...NOTHING_RUN, 'read-tree', ...trees];
  const run = () => runUsersCommand({ file: 'git', args, cwd, env, guardian, behind: null, timeoutMs: GIT_TIMEOUT_MS }, request, signal);
  const answer = await untilFree(run, { complaintOf: ({ detail }) => detail });
  if (/resolve your current index first/.test(answer.detail)) return { isClean: false, detail: (await unmerged(git)) ?? answer.detail };
  if (!isLocked(answer.detail)) return answer;
  return { isClean: false, detail: `another git holds ${indexPath}.lock, or died with it: if none runs, remove that file` };
}

/** An agent makes fewer commits than this in one attempt. */
const COMMITS_BACK = 50;
/** Stands for bytes in a name that are not text. Such a path is left alone, because it cannot be written as it was read. */
const UNREADABLE = '\uFFFD';

/**
 * Reverts these paths in the operator's index, or else a later commit would include what was staged. A file that was never added stays so, and everything
 * that is staged elsewhere stays.
 */
export async function unstage({ git, topLevel, env }: HistoryPlace, paths: readonly TouchedPath[], pathspecs: readonly string[]): Promise<void> {
  const top: Git = (args, own) => git(['-C', topLevel, ...args], own);
  const staged = await stagedEntries(top, pathspecs);
  const dropped = await droppedPaths(top, pathspecs);
  const lines = paths.flatMap(({ path, before }) => {
    const found = staged.get(path);
    if (path.includes(UNREADABLE) || (found === undefined && !dropped.has(path))) return [];
    if (before === null) return [`0 ${'0'.repeat(found?.id.length ?? 40)}\t${path}\0`];
    return found?.mode === before.mode && found.id === before.id ? [] : [`${before.mode} ${before.id}\t${path}\0`];
  });
  if (lines.length === 0) return;
  // Deletions come first: a file may replace a folder.
  const stdin = lines.toSorted((a, b) => Number(b.startsWith('0 ')) - Number(a.startsWith('0 '))).join('');
  const run = () => feedGit({ cwd: topLevel, env }, { args: ['update-index', '-z', '--index-info'], stdin, mostBytes: 64 * 1024 });
  const { isWhole, stderr } = await untilFree(run, { complaintOf: (answer) => (answer.isWhole ? '' : answer.stderr) });
  if (!isWhole) throw new Error(firstComplaint({ stderr }));
}

/** A path with conflicts never equals a wanted entry. */
async function stagedEntries(git: Git, pathspecs: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
  const { stdout } = await git(['ls-files', '--stage', '-z', '--', ...pathspecs]);
  const found = [...stdout.matchAll(/(\d+) (\w+) (\d)\t([^\0]+)\0/g)];
  return new Map(found.map(([, mode = '', id = '', stage, path = '']) => [path, { mode: stage === '0' ? mode : 'conflict', id }]));
}

/** The paths that are in HEAD, or in a commit some way before it, but not in the index: a deletion may have been committed. */
async function droppedPaths(git: Git, pathspecs: readonly string[]): Promise<ReadonlySet<string>> {
  if ((await headOf(git)) === null) return new Set();
  const line = (await git(['rev-list', '--first-parent', `--max-count=${COMMITS_BACK}`, 'HEAD', '--'])).stdout.trim().split('\n');
  const dropped = new Set<string>();
  for (const commit of new Set(['HEAD', line.at(-1) ?? 'HEAD'])) {
    const { stdout } = await git(['diff-index', '--cached', '--raw', '-z', '--no-renames', '--diff-filter=D', commit, '--', ...pathspecs]);
    for (const { path } of rawPaths(stdout)) dropped.add(path);
  }
  return dropped;
}
