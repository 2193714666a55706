import { howToResume } from '../../journal/words/outcome.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { chooseRunIn, folderAround } from '../../store/run-home.ts';
import { type RunSummary, readRunSummary } from '../../store/runs/run-summary.ts';
import { findRun, type RunWithStatus, runsWithStatus, stateOfRun, unreadable } from './find-run.ts';
import type { RunStateName } from './run-state.ts';
import { type RunFilter, runsFolders } from './runs-folders.ts';

export type ActiveRunBrief = RunSummary;

const CAN_GO_ON: ReadonlySet<RunStateName> = new Set(['dead', 'interrupted', 'waiting', 'failed']);

/** Finds a run by its id or by the end of its id; null means the active run of this directory. Throws unless the run is active. */
export async function findActiveRun(cwd: string, wanted: string | null, where: RunFilter): Promise<ActiveRunBrief> {
  if (wanted === null) return onlyActiveRun(await atWork(cwd, where), cwd);
  const entry = await findRun(cwd, wanted, where);
  if (entry.sight.kind === 'unreadable') throw unreadable(entry.sight);
  if (!isAtWork(entry)) throw notAtWork(entry);
  return entry.sight;
}

/** An active run that starts nothing new until it is told to continue; null for any other. Chosen in the same way as for a resume. */
export async function findPausedRun(cwd: string, wanted: string | null, where: RunFilter): Promise<ActiveRunBrief | null> {
  const { run, runsFolder } = await chooseRunIn(wanted, await runsFolders(cwd, where), cwd);
  const sight = await readRunSummary(runsFolder, run);
  if (sight?.kind !== 'run' || sight.stopped !== null || sight.liveness === 'dead') return null;
  return (await stateOfRun(sight))?.paused ? sight : null;
}

function isAtWork({ state }: RunWithStatus): boolean {
  return state === 'running' || state === 'unknown';
}

async function atWork(cwd: string, where: RunFilter): Promise<readonly RunSummary[]> {
  const entries = (await runsWithStatus(cwd, where)).filter(isAtWork);
  return entries.flatMap(({ sight, parent }) => (sight.kind === 'run' && parent === null ? [sight] : []));
}

/** Runs elsewhere in the repository, and children of other runs, must be named. */
function onlyActiveRun(runs: readonly RunSummary[], cwd: string): RunSummary {
  const here = runs.filter((run) => folderAround(cwd, run) !== null);
  const [found] = here;
  if (found && here.length === 1) return found;
  const named = (here.length > 0 ? here : runs).slice(0, 3).map(({ run }) => run);
  if (here.length > 1) {
    throw new OperatorError('run-ambiguous', `${here.length} runs are active here`, { hint: `Name one of them: ${named.join(', ')}.`, exitCode: 2 });
  }
  const hint = named.length === 0 ? 'ralph runs list shows the runs.' : `Name one that is active elsewhere: ${named.join(', ')}.`;
  throw new OperatorError('run-not-at-work', 'no run is active here', { hint, exitCode: 2 });
}

function notAtWork({ sight: { run }, state }: RunWithStatus): OperatorError {
  const hint = CAN_GO_ON.has(state) ? `Continue it with: ${howToResume(run)}` : 'ralph runs list shows the active ones.';
  return new OperatorError('run-not-at-work', `run ${run} is not active (${state})`, { hint, exitCode: 2 });
}
