import type { Changes } from '../../engine/ports/git-history.ts';
import { feedGit } from './git-feed.ts';
import type { HistoryPlace } from './git-place.ts';
import { addAll } from './git-tree.ts';

/** Some more than a prompt ever shows. */
const MOST_PATCH_BYTES = 64 * 1024;
/** So many files are listed; how many there are is said in any case. */
const MOST_STAT_LINES = 100;
const MOST_STAT_BYTES = 64 * 1024;

/**
 * Plain commands of git's, which the user's taste in diffs does not reach: no colours, no other tools, no missing prefixes. A file that was
 * moved is shown as moved, since its text twice would leave no room for the rest. A file this large is not for reading: it counts as binary.
 */
const SHOWN = [
  ...['-c', 'core.quotePath=false', '-c', 'core.bigFileThreshold=16m', 'diff-index', '--cached'],
  ...['--patch', `--stat=200,150,${MOST_STAT_LINES}`, '--stat-graph-width=20', '--find-renames', '-l400'],
  ...['--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short'],
];

/** Reads the files into an index of ours and compares that: no tree needs to be written for it. */
export async function changesSince({ git, cwd, env, scratch }: HistoryPlace, tree: string): Promise<Changes | null> {
  try {
    const own = await scratch.lending();
    if (!(await addAll(git, own)).isAdded) return null;
    const fed = await feedGit({ cwd, env }, { args: [...SHOWN, tree, '--'], own, mostBytes: MOST_STAT_BYTES + MOST_PATCH_BYTES });
    return fed.isGood ? shown(fed.stdout, fed.isWhole) : null;
  } catch {
    return null;
  } finally {
    await scratch.empty();
  }
}

/** An empty line stands between the two: names with line breaks are quoted, so none is in the list. */
function shown(printed: Buffer, isWhole: boolean): Changes {
  const end = printed.indexOf('\n\n');
  const stat = printed.toString('utf8', 0, end === -1 ? printed.length : end + 1);
  const patch = end === -1 ? Buffer.alloc(0) : printed.subarray(end + 2);
  if (isWhole && patch.length <= MOST_PATCH_BYTES) return { stat, patch: patch.toString(), isWhole: true };
  const cut = patch.subarray(0, MOST_PATCH_BYTES);
  return { stat, patch: cut.toString('utf8', 0, cut.lastIndexOf('\n') + 1), isWhole: false };
}
