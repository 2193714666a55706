import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { openGitCli } from '../adapters/git/git-cli.ts';
import { readJournalFile } from '../adapters/journal-file.ts';
import { evolve } from '../core/evolve.ts';
import { emptyState } from '../core/state.ts';
import { type RunView, runView } from '../core/views/run-view.ts';
import { doorFolderIsOurs } from '../engine/watchers/door-folder.ts';
import { type Liveness, livenessOf } from '../kit/process/identity.ts';
import type { JournalEvent } from '../model/events/journal-event.ts';
import { OperatorError } from '../model/operator-error.ts';
import { doorPath } from './door-path.ts';
import { environment } from './environment.ts';
import { chooseRun, runsFolderOf } from './run-home.ts';

/** `dead`: its process is gone and it never said how it ended. `unknown`: it runs, if it does, where we cannot look. */
export interface RunStatus extends Omit<RunView, 'status'> {
  readonly status: RunView['status'] | 'dead' | 'unknown';
  readonly run_folder: string;
}

/** Asks the loop itself while it lives, else reads its journal. Readers never write. */
export async function runStatus(cwd: string, wanted: string | null): Promise<RunStatus> {
  const env = environment();
  const runsFolder = runsFolderOf(cwd, await openGitCli(cwd, env));
  const run = await chooseRun(wanted, runsFolder, cwd);
  const door = doorPath(run, env);
  const live = doorFolderIsOurs(door) ? await askTheDoor(door) : null;
  const run_folder = join(runsFolder, run);
  if (live) return { ...live, run_folder };
  const events = await readJournalFile(join(run_folder, 'journal.jsonl'));
  const state = events.reduce(evolve, emptyState);
  if (!state.run) throw new OperatorError('run-empty', `run ${run} never started`, { hint: 'Start one with: ralph run -p "…"', exitCode: 2 });
  const view = runView(state, events.at(-1)?.at ?? 0);
  return { ...view, status: view.status === 'running' ? STATUS_OF[writersLiveness(events)] : view.status, run_folder };
}

const STATUS_OF = { alive: 'running', dead: 'dead', unknown: 'unknown' } as const satisfies Record<Liveness, RunStatus['status']>;

function writersLiveness(events: readonly JournalEvent[]): Liveness {
  const last = events.findLast(({ body }) => body.type === 'run.started' || body.type === 'run.resumed')?.body;
  if (last?.type !== 'run.started' && last?.type !== 'run.resumed') return 'unknown';
  const { host, boot_id, pid, start_time } = last.writer;
  return livenessOf({ host, bootId: boot_id, pid, startTime: start_time });
}

/** Null when nobody answers. */
function askTheDoor(socketPath: string): Promise<RunView | null> {
  return new Promise((resolve) => {
    const asking = request({ socketPath, path: '/v1/status', timeout: 2_000 }, (response) => {
      json(response).then(
        (view) => resolve(response.statusCode === 200 ? (view as RunView) : null),
        () => resolve(null),
      );
    });
    asking.on('error', () => resolve(null));
    asking.on('timeout', () => asking.destroy());
    asking.end();
  });
}
