import { findPlan } from '../../plans/find/find-plan.ts';
import { openPlanStore } from '../../plans/open-plan-store.ts';
import { runsFolders, runsFoldersAround } from '../../runs/manage/runs-folders.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { nameRuns } from '../../store/runs/read-runs.ts';
import { topOfRepository } from '../shared/top-of-repository.ts';

const MOST_RUNS = 50;

/** A plan is anybody's file: what a shell would split or expand is not offered. */
const SAFE = /^[\w.@+-]+$/;

/** Newest first, without reading the runs. */
export async function runIds(cwd: string): Promise<readonly string[]> {
  const top = topOfRepository(cwd);
  const folders = top === null ? await runsFoldersAround(cwd, { git: null, env: environment() }) : await runsFolders(top);
  const named = await Promise.all(folders.map(nameRuns));
  return named
    .flatMap(({ names }) => names)
    .toSorted()
    .toReversed()
    .slice(0, MOST_RUNS);
}

/** The tasks or stories of the plan that a command without --plan would use. */
export async function taskIds(cwd: string): Promise<readonly string[]> {
  const top = topOfRepository(cwd) ?? cwd;
  const { kind, path } = await findPlan(top, null);
  const reading = await openPlanStore({ kind, top, path, cacheFolder: null }).read();
  return (reading?.plan?.tasks ?? []).map(({ id }) => id).filter((id) => SAFE.test(id));
}
