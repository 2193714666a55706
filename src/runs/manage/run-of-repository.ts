import { OperatorError } from '../../kit/pure/operator-error.ts';
import { chooseRunIn } from '../../store/run-home.ts';
import { nameRuns } from '../../store/runs/read-runs.ts';
import { type RunSummary, readRunSummary } from '../../store/runs/run-summary.ts';
import { neverStarted, unreadable } from './find-run.ts';
import { runsFolders } from './runs-folders.ts';

/** The run with that id, or whose id ends so; null asks for the newest of this repository that a person started. Works from any subfolder. */
export async function runOfRepository(cwd: string, wanted: string | null): Promise<RunSummary> {
  const folders = await runsFolders(cwd);
  if (wanted === null) return await newestIn(folders);
  const { run, runsFolder } = await chooseRunIn(wanted, folders, cwd);
  const sight = await readRunSummary(runsFolder, run);
  if (sight?.kind === 'unreadable') throw unreadable(sight);
  if (sight === null) throw neverStarted(run);
  return sight;
}

/** A folder that cannot be read is passed over: what is asked for is a run that can be told about. */
async function newestIn(folders: readonly string[]): Promise<RunSummary> {
  const named = (await Promise.all(folders.map(nameRuns))).flatMap(({ names, read }) => names.map((name) => ({ name, read })));
  for (const { name, read } of named.sort((one, other) => (one.name < other.name ? 1 : -1))) {
    const sight = await read(name);
    if (sight?.kind === 'run' && (sight.task?.parent ?? null) === null) return sight;
  }
  const hint = named.length === 0 ? 'Start one with: ralph run -p "…"' : 'ralph runs list --all lists the runs of this repository; name one.';
  throw new OperatorError('run-unknown', 'there is no run here', { hint, exitCode: 2 });
}
