import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPort, TreeLook } from '../engine/ports/git.ts';
import { withoutGitVariables } from '../sandbox/environment/environment.ts';
import { openGitCommand, type Variables } from './git/git-command.ts';
import { OUR_NAME } from './git/git-place.ts';
import { must, orTrouble } from './tasks/locks.ts';

/** The most bytes of uncommitted files that are kept too. */
const MOST_BYTES = 100 * 1024 * 1024;

type Seen = Pick<TreeLook, 'head' | 'tree' | 'problem'>;

export type RunEnd = 'start' | 'end' | 'undone';

export const endRef = (run: string, which: RunEnd) => `refs/ralph/runs/${run}/${which}`;

interface EndPlace {
  readonly topLevel: string;
  readonly env: Variables;
  readonly git: Pick<GitPort, 'snapshot' | 'look'>;
}

/**
 * Keeps all files as they are at the start or the end of a run, as a commit on HEAD under a ref of Ralph's, so that the changes of a run can be shown and
 * undone. `seen`: the files, if they were read and kept already. Null on success, else why not, in one line.
 */
export async function keepEnd({ topLevel, env, git }: EndPlace, run: string, which: RunEnd, seen: Seen | null = null): Promise<string | null> {
  const raw = openGitCommand(topLevel, withoutGitVariables(env));
  const done = await orTrouble(async () => {
    if (seen === null && (await bytesOf(topLevel, (await git.snapshot())?.dirty ?? [])) > MOST_BYTES) return 'files that are not committed are over 100 MiB';
    const sight = seen ?? (await git.look());
    if (sight?.tree == null) return sight?.problem ?? 'git cannot name the files';
    const parent = sight.head === null ? [] : ['-p', sight.head];
    const commit = must(await raw(['commit-tree', sight.tree, ...parent, '-m', `The ${which} of run ${run}`], OUR_NAME), 'the files cannot be kept');
    must(await raw(['update-ref', endRef(run, which), commit]), 'the files cannot be kept');
    return null;
  });
  return done !== null && typeof done === 'object' ? done.why : done;
}

async function bytesOf(topLevel: string, paths: readonly string[]): Promise<number> {
  let sum = 0;
  for (const path of paths) sum += (await lstat(join(topLevel, path)).catch(() => null))?.size ?? 0;
  return sum;
}

/** The refs of each run that keep what did not land, with the ids of their commits. */
export const keptRefs = (cwd: string, env: Variables) => refsByRun(cwd, env, '%(refname) %(objectname)', 'refs/ralph/kept');

/** The refs that keep what agents made of files which their operator changed meanwhile, by run. */
export const keptFileRefs = (cwd: string, env: Variables) => refsByRun(cwd, env, '%(refname)', 'refs/ralph/kept/*/files/*');

async function refsByRun(cwd: string, env: Variables, format: string, pattern: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { stdout } = await openGitCommand(cwd, withoutGitVariables(env))(['for-each-ref', `--format=${format}`, pattern]);
  const found = new Map<string, Set<string>>();
  for (const line of stdout.split('\n').filter(Boolean)) {
    const run = line.split('/')[3] ?? '';
    found.set(run, (found.get(run) ?? new Set()).add(line));
  }
  return found;
}

/**
 * Drops the refs of deleted runs: what `ralph undo` needs, what was kept because it did not land, and the names of the tasks that `ralph work` has merged,
 * whose commits stay on the branch. Git's next clean-up removes the objects.
 */
export async function dropEnds(cwd: string, env: Variables, runs: readonly string[]): Promise<void> {
  const git = openGitCommand(cwd, withoutGitVariables(env));
  const gone = new Set(runs);
  const format = '--format=%(refname) %(objectname) %(contents:trailers:key=Ralph-Run,valueonly,separator=%x20)';
  const { stdout } = await git(['for-each-ref', format, 'refs/ralph/runs', 'refs/ralph/kept', 'refs/ralph/merged']);
  for (const [ref = '', id = '', ...trailers] of stdout.split('\n').map((line) => line.split(' '))) {
    const mergedBy = trailers.map((trailer) => trailer.split('/')[0] ?? '');
    const isGone = /^refs\/ralph\/(?:runs|kept)\//.test(ref) ? gone.has(ref.split('/')[3] ?? '') : mergedBy.some((run) => gone.has(run));
    if (isGone) await git(['update-ref', '-d', ref, id]);
  }
}
