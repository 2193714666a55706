import { currentDirectory } from '../../cli/shared/flags.ts';
import { surroundings } from '../../process/surroundings.ts';
import { toldRuns } from '../manage/find-run.ts';
import { runTree } from '../manage/run-tree.ts';
import { storyAtHand } from '../manage/story-at-hand.ts';
import { listLines } from './list-lines.ts';
import { runJson } from './run-json.ts';
import { type LocatedFlags, whereOf } from './runs-flags.ts';
import { shownRows } from './shown-rows.ts';

interface ListFlags extends LocatedFlags {
  readonly all?: boolean;
}

export async function listRunsCommand(flags: ListFlags): Promise<number> {
  const all = runTree(await toldRuns(currentDirectory(), whereOf(flags)));
  const rows = (flags.all ? all : shownRows(all)).map((row) => ({ ...row, stories: storyAtHand(row.told) }));
  const leftOut = all.length - rows.length;
  const object = { runs: rows.map(({ told, depth, stories }) => ({ ...runJson(told), stories, depth })), left_out: leftOut };
  surroundings().stdout.write(flags.json ? `${JSON.stringify(object)}\n` : `${listLines(rows, leftOut, Date.now()).join('\n')}\n`);
  return 0;
}
