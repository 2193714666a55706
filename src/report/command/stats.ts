import { currentDirectory, positiveDurationOf } from '../../cli/shared/flags.ts';
import { io } from '../../process/io.ts';
import { runsFolders } from '../../runs/manage/runs-folders.ts';
import { readFigures } from '../files/read-figures.ts';
import { openStats, runStatsLines } from '../run-report/run-stats.ts';

interface StatsFlags {
  readonly since?: string;
  readonly json?: boolean;
}

/** A run that cannot be read is counted and left out. */
export async function statsCommand({ since, json = false }: StatsFlags): Promise<number> {
  const sinceMs = positiveDurationOf('--since', since);
  const folders = await runsFolders(currentDirectory());
  const { runs, unreadable, stats, plans } = await statsOf(folders, sinceMs === null ? 0 : Date.now() - sinceMs);
  if (json) {
    io().stdout.write(`${JSON.stringify({ runs, unreadable, since: since ?? null, agents: stats, plans })}\n`);
    return 0;
  }
  const lines = runs === 0 ? ['No runs yet.'] : runStatsLines(stats, plans);
  const left = unreadable === 0 ? [] : [`${unreadable} more cannot be read.`];
  io().stdout.write(`${[...lines, ...left].join('\n')}\n`);
  return 0;
}

async function statsOf(folders: readonly string[], fromMs: number) {
  const sum = openStats();
  let [runs, unreadable] = [0, 0];
  for await (const figures of readFigures(folders, fromMs)) {
    if (figures === null) unreadable += 1;
    else {
      runs += 1;
      sum.add(figures);
    }
  }
  return { runs, unreadable, stats: sum.stats(), plans: sum.plans() };
}
