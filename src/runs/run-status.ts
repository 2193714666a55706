import { join } from 'node:path';
import { askDoor, doorPath } from '../door/door-client.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState } from '../journal/state/state.ts';
import type { Liveness } from '../process/identity.ts';
import { type RunView, runView } from '../report/views/run-view.ts';
import { environment } from '../sandbox/environment/environment.ts';
import { readJournalFile } from '../store/journal-file.ts';
import { chooseRunIn } from '../store/run-home.ts';
import { readRunSummary } from '../store/runs/run-summary.ts';
import { neverStarted, unreadable } from './manage/find-run.ts';
import { runsFolders } from './manage/runs-folders.ts';

/** `dead`: its process ended without recording an outcome. `unknown`: it may be running on a machine we cannot see. */
export interface RunStatus extends Omit<RunView, 'status'> {
  readonly status: RunView['status'] | 'dead' | 'unknown';
  readonly run_folder: string;
}

/** Asks the loop itself while it is alive, otherwise reads its journal. A reader never writes. */
export async function runStatus(cwd: string, wanted: string | null): Promise<RunStatus> {
  const found = await chooseRunIn(wanted, await runsFolders(cwd), cwd);
  const sight = await readRunSummary(found.runsFolder, found.run);
  if (sight?.kind === 'unreadable') throw unreadable(sight);
  const run_folder = join(found.runsFolder, found.run);
  const live = await askTheDoor(doorPath(found.run, environment()));
  if (live) return { ...live, run_folder };
  const events = await readJournalFile(join(run_folder, 'journal.jsonl'));
  const state = events.reduce(evolve, emptyState);
  if (!state.run || !sight) throw neverStarted(found.run);
  const view = runView(state, events.at(-1)?.at ?? 0);
  return { ...view, status: view.status === 'running' ? STATUS_OF[sight.liveness] : view.status, run_folder };
}

const STATUS_OF = { alive: 'running', dead: 'dead', unknown: 'unknown' } as const satisfies Record<Liveness, RunStatus['status']>;

/** Null when nobody answers. */
async function askTheDoor(socketPath: string): Promise<RunView | null> {
  const answer = await askDoor(socketPath, { method: 'GET', path: '/v1/status', timeoutMs: 2_000 });
  return answer.kind === 'answered' && answer.status === 200 ? (answer.body as RunView) : null;
}
