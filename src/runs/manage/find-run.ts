import { readRunBrief } from '../../store/runs/run-brief.ts';
import { chooseRunIn } from '../../store/run-home.ts';
import { runsFolders, type Where } from './runs-folders.ts';
import { type ToldRun, told } from './told-runs.ts';
import { neverStarted } from './trouble-with-run.ts';

/** The run of that id, or of that end of an id, wherever it lies. */
export async function findRun(cwd: string, wanted: string, where: Where): Promise<ToldRun> {
  const { run, runsFolder } = await chooseRunIn(wanted, await runsFolders(cwd, where), cwd);
  const sight = await readRunBrief(runsFolder, run);
  if (sight === null) throw neverStarted(run);
  return told(sight);
}
