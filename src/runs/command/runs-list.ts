import { currentDirectory } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import { currentStory } from '../manage/current-story.ts';
import { type RunWithStatus, runsWithStatus } from '../manage/find-run.ts';
import { newestRuns } from '../manage/newest-runs.ts';
import { runTree, type TreeRow } from '../manage/run-tree.ts';
import type { RunFilter } from '../manage/runs-folders.ts';
import { listLines } from './list-lines.ts';

export interface LocatedFlags {
  readonly root?: string;
  readonly project?: string;
  readonly task?: string;
  readonly json?: boolean;
}

export function whereOf({ root, project, task }: LocatedFlags): RunFilter {
  if (root === '') throw new OperatorError('usage', '--root is ""', { hint: 'Give it a folder.', exitCode: 2 });
  return { root: root ?? null, project: project ?? null, task: task ?? null };
}

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

/** A run in the `--json` form. */
export function runJson({ sight, state, isRecorded, parent }: RunWithStatus): object {
  const { run, folder } = sight;
  const always = { run_id: run, state, recorded: isRecorded, parent };
  if (sight.kind === 'unreadable') return { ...always, why: sight.why, run_folder: folder };
  const { recipe, task, cwd, worktree, startedAtMs, lastAtMs, stopped, liveness, writer } = sight;
  return {
    ...always,
    recipe,
    project: task?.project ?? null,
    task: task?.task ?? null,
    stop_reason: stopped?.stop_reason ?? null,
    message: stopped?.message ?? null,
    exit_code: stopped?.exit_code ?? null,
    started_at: startedAtMs,
    last_at: lastAtMs,
    process: writer === null ? null : { host: writer.host, pid: writer.pid, liveness },
    cwd,
    worktree,
    run_folder: folder,
  };
}
