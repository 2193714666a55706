import { currentDirectory } from '../../cli/shared/flags.ts';
import { io } from '../../process/io.ts';
import { currentStory } from '../manage/current-story.ts';
import { runsWithStatus } from '../manage/find-run.ts';
import { newestRuns } from '../manage/newest-runs.ts';
import { runTree, type TreeRow } from '../manage/run-tree.ts';
import { listLines } from './list-lines.ts';
import { runJson } from './run-json.ts';
import { type LocatedFlags, whereOf } from './runs-flags.ts';

interface ListFlags extends LocatedFlags {
  readonly all?: boolean;
}

export async function listRunsCommand(flags: ListFlags): Promise<number> {
  const newest = flags.all ? null : await newestRuns(currentDirectory(), whereOf(flags), MOST_TREES);
  const { runs, others } = newest ?? { runs: await runsWithStatus(currentDirectory(), whereOf(flags)), others: 0 };
  const all = runTree(runs);
  const rows = (flags.all ? all : shownRows(all)).map((row) => ({ ...row, stories: currentStory(row.told) }));
  const leftOut = all.length + others - rows.length;
  const object = { runs: rows.map(({ told, depth, stories }) => ({ ...runJson(told), stories, depth })), left_out: leftOut };
  io().stdout.write(flags.json ? `${JSON.stringify(object)}\n` : `${listLines(rows, leftOut, Date.now()).join('\n')}\n`);
  return 0;
}

const MOST_TREES = 20;
const AT_WORK: ReadonlySet<string> = new Set(['running', 'unknown']);

/** The newest trees, and every older tree with an active run. */
function shownRows(rows: readonly TreeRow[]): readonly TreeRow[] {
  const trees: TreeRow[][] = [];
  for (const row of rows) {
    if (row.depth === 0) trees.push([row]);
    else trees.at(-1)?.push(row);
  }
  return trees.filter((tree, index) => index < MOST_TREES || tree.some(({ told }) => AT_WORK.has(told.state))).flat();
}
