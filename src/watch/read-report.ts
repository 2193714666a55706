import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readHistory } from '../report/files/read-history.ts';
import type { RunHistory } from '../report/history/run-history.ts';
import { runReport } from '../report/run-report/run-report.ts';
import { readRunSummary } from '../store/runs/run-summary.ts';
import { STANDING } from './follow-runs.ts';
import type { EarlierRed, WatchedReport } from './view/details-screen.ts';

/** Reads the report of a run, again only when its journal has grown. Null: there is no such run. */
export function openReports(folders: readonly string[]): (run: string) => Promise<WatchedReport | null> {
  let known: { readonly run: string; readonly size: number; readonly report: WatchedReport } | null = null;
  return async (run) => {
    const folder = folders.find((each) => sizeIn(each, run) > 0);
    if (folder === undefined) return null;
    const size = sizeIn(folder, run);
    if (known?.run !== run || known.size !== size) known = { run, size, report: await read(folder, run) };
    return known.report;
  };
}

const sizeIn = (folder: string, run: string) => statSync(join(folder, run, 'journal.jsonl'), { throwIfNoEntry: false })?.size ?? 0;

async function read(folder: string, run: string): Promise<WatchedReport> {
  const runFolder = join(folder, run);
  const [history, summary] = [await readHistory(runFolder), await readRunSummary(folder, run)];
  const status = history.state.stopped === null ? STANDING[summary?.liveness ?? 'dead'] : 'stopped';
  return { ...runReport(history, { status, runFolder }), earlier_red: earlierRed(history) };
}

/** Without those that the report itself shows. */
function earlierRed({ items }: RunHistory): readonly EarlierRed[] {
  const all = [...items].flatMap(([id, { red: shown, reds }]) => reds.filter(({ red }) => red !== shown).map((each) => ({ task: id || null, ...each })));
  return all.sort((one, other) => other.iteration - one.iteration);
}
