import { surroundings } from '../../process/surroundings.ts';
import { listLines } from '../../runs/command/list-lines.ts';
import { runJson } from '../../runs/command/run-json.ts';
import { type LocatedFlags, whereOf } from '../../runs/command/runs-flags.ts';
import { shownRows } from '../../runs/command/shown-rows.ts';
import { toldRuns } from '../../runs/manage/find-run.ts';
import { runTree } from '../../runs/manage/run-tree.ts';
import { storyAtHand } from '../../runs/manage/story-at-hand.ts';
import { currentDirectory } from './flags.ts';

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
