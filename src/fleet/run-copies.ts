import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalMirror } from '../engine/ports/stores.ts';
import type { Scope } from '../kit/async/scope.ts';
import { copyJournal, openFileMirror } from '../store/journal-mirror.ts';
import { allFleets } from '../store/postgres/fleets.ts';
import { mirroredRuns, openPostgresMirror } from '../store/postgres/journals-postgres.ts';
import type { Database } from '../store/postgres/open-database.ts';

const EVERY_MS = 2_000;
const LAST_MS = 1_000;
/** Of each fleet. */
const MOST_RUNS = 100;
/** The store is not trusted with names of files. */
const RUN = /^[A-Za-z0-9][\w-]{0,199}$/;

/** A folder with runs, as everybody reads them who reads runs of this machine. No command finds it: a run is answered and steered on its own machine. */
export interface CopiesOfFleet {
  readonly cwd: string;
  readonly runsFolder: string;
}

export interface RunCopies {
  /** Those of each fleet that were found so far. */
  folders(): readonly CopiesOfFleet[];
  /** Once everything was copied that is there now. Rejects if that failed; it goes on trying all the same. */
  readonly first: Promise<void>;
}

/** Keeps the newest journals of a store in a folder of this process, until the scope ends. */
export async function openRunCopies(database: Database, scope: Scope): Promise<RunCopies> {
  const top = await mkdtemp(join(tmpdir(), 'ralph-fleet-'));
  scope.defer(() => rm(top, { recursive: true, force: true }));
  const folders = new Map<string, CopiesOfFleet>();
  const stop = new AbortController();
  const copyAll = async () => {
    for (const { id, name } of await allFleets(database)) {
      const cwd = join(top, String(folders.size), name.replaceAll(/[^\w-]+/g, '-') || 'fleet');
      const place = folders.get(id) ?? { cwd, runsFolder: join(cwd, 'runs') };
      if (stop.signal.aborted) return;
      await mkdir(place.runsFolder, { recursive: true });
      folders.set(id, place);
      await copyFleet(database, id, { to: openFileMirror(place.runsFolder), signal: stop.signal });
    }
  };
  const first = copyAll();
  const keepCopying = async () => {
    await first.catch(() => undefined);
    while (await sleep(EVERY_MS, true, { signal: stop.signal }).catch(() => false)) await copyAll().catch(() => undefined);
  };
  const copying = keepCopying();
  scope.defer(async () => {
    stop.abort();
    // A store that hangs must not delay whoever leaves.
    await Promise.race([copying, sleep(LAST_MS, undefined, { ref: false })]);
  });
  return { folders: () => [...folders.values()], first };
}

async function copyFleet(database: Database, fleet: string, { to, signal }: { readonly to: JournalMirror; readonly signal: AbortSignal }): Promise<void> {
  const from = openPostgresMirror(database, fleet, null);
  const until: JournalMirror = { ...to, append: async (...piece) => (signal.aborted ? null : await to.append(...piece)) };
  for (const [run, end] of await mirroredRuns(database, fleet, MOST_RUNS)) if (RUN.test(run) && (await to.end(run)) < end) await copyJournal(run, from, until);
}
