import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasUnlanded } from '../../workspace/isolated/landed.ts';
import { type CheckResult, found, NOTHING, type PlannedRun } from './finding.ts';

const MOST_UNLANDED = 3;

/** A new run takes nothing of a killed one: what its agent was changing lands when that run is resumed. */
export async function checkUnlanded({ workspace: { home } }: PlannedRun): Promise<CheckResult> {
  const names = await readdir(home.runsFolder).catch(() => []);
  const runs = names.filter((run) => hasUnlanded(join(home.runsFolder, run)));
  if (runs.length === 0) return NOTHING;
  const { readRunSummary } = await import('../../store/runs/run-summary.ts');
  const sights = await Promise.all(runs.map((run) => readRunSummary(home.runsFolder, run)));
  const dead = sights.filter((sight) => sight?.kind === 'run' && sight.liveness === 'dead').slice(-MOST_UNLANDED);
  return found(
    ...dead
      .flatMap((sight) => (sight === null ? [] : [sight]))
      .map(({ run, folder }) => ({
        what: `run ${run} was killed, and what its agent changed has not landed`,
        where: folder,
        fix: `Land it with: ralph runs resume ${run}. Look at it with: ralph diff ${run} --live`,
        isFatal: false,
      })),
  );
}
