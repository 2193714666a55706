import { surroundings } from '../../kit/process/surroundings.ts';
import { runTree } from '../../wiring/runs/run-tree.ts';
import { storyAtHand } from '../../wiring/runs/story-at-hand.ts';
import { toldRuns } from '../../wiring/runs/told-runs.ts';
import { currentDirectory } from '../current-directory.ts';
import { listLines } from '../runs/list-lines.ts';
import { runJson } from '../runs/run-json.ts';
import { type LocatedFlags, whereOf } from '../runs/runs-flags.ts';
import { shownRows } from '../runs/shown-rows.ts';

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
