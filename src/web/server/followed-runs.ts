import { statSync } from 'node:fs';
import { join } from 'node:path';
import { newestFirst, runWithStatus } from '../../runs/manage/find-run.ts';
import { nameRuns } from '../../store/runs/read-runs.ts';
import type { RunSummary, RunSummaryOrProblem } from '../../store/runs/run-summary.ts';
import { type FollowedRun, openFollowedRun } from './followed-run.ts';

export interface RunsPlace {
  readonly runsFolder: string;
  /** The directory it was found from. */
  readonly cwd: string;
}

export interface RunEntry {
  readonly summary: RunSummary;
  /** The directory it was found from. */
  readonly cwd: string;
  readonly followed: FollowedRun;
}

/** The newest runs of some folders. They are looked at only when somebody asks. */
export interface FollowedRuns extends Disposable {
  /** Newest first. `leftOut`: how many older ones are not followed. */
  look(nowMs: number): Promise<{ readonly known: readonly RunEntry[]; readonly leftOut: number }>;
  /** Null: there is no such run. Keeps it at hand for a while. */
  want(id: string, nowMs: number): FollowedRun | null;
  placeOf(id: string): string | null;
}

interface Entry {
  summary: RunSummary;
  readonly cwd: string;
  readonly followed: FollowedRun;
  /** Of its journal: while a stopped run has this size, nothing is new. */
  size: number;
  wantedAtMs: number;
}

/** More runs are listed by `ralph runs list`. */
const MOST_RUNS = 200;
/** Several pages share one look. */
const LOOK_EVERY_MS = 400;
const FOLDERS_EVERY_MS = 5_000;
const KEEP_MS = 60_000;

interface Named {
  readonly run: string;
  readonly cwd: string;
  read(run: string): Promise<RunSummaryOrProblem | null>;
}

export function openFollowedRuns(folders: () => Promise<readonly RunsPlace[]>, dateOf: (ms: number) => string): FollowedRuns {
  const entries = new Map<string, Entry>();
  let places: readonly RunsPlace[] = [];
  let placesAtMs = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  let looking: { readonly atMs: number; readonly done: Promise<void> } | null = null;

  async function lookAtAll(nowMs: number): Promise<void> {
    if (nowMs - placesAtMs > FOLDERS_EVERY_MS) [places, placesAtMs] = [await folders(), nowMs];
    const named = await namesIn(places);
    leftOut = Math.max(0, named.length - MOST_RUNS);
    const newest = named.slice(0, MOST_RUNS);
    const there = new Set(newest.map(({ run }) => run));
    for (const gone of [...entries.keys()].filter((run) => !there.has(run))) drop(gone);
    for (const each of newest) await lookAtOne(each, nowMs);
  }

  async function lookAtOne({ run, cwd, read }: Named, nowMs: number): Promise<void> {
    const entry = entries.get(run);
    if (entry !== undefined && isUnchanged(entry)) return releaseOld(entry, nowMs);
    const summary = await read(run);
    if (summary?.kind !== 'run') return;
    const current = entry ?? { summary, cwd, followed: openFollowedRun(summary, dateOf), size: 0, wantedAtMs: Number.NEGATIVE_INFINITY };
    Object.assign(current, { summary, size: sizeOf(summary) });
    // One journal that cannot be read must not hide all other runs.
    const problem = await current.followed.look(summary, nowMs).catch((error: unknown) => error ?? true);
    if (problem === undefined) entries.set(run, current);
    releaseOld(current, nowMs);
  }

  function drop(run: string): void {
    entries.get(run)?.followed[Symbol.dispose]();
    entries.delete(run);
  }

  return {
    async look(nowMs) {
      if (looking === null || nowMs - looking.atMs >= LOOK_EVERY_MS) {
        const before = looking?.done.catch(() => undefined) ?? Promise.resolve();
        looking = { atMs: nowMs, done: before.then(() => lookAtAll(nowMs)) };
      }
      await looking.done;
      const known = [...entries.values()].sort((one, other) => newestFirst(runWithStatus(one.summary), runWithStatus(other.summary)));
      return { known, leftOut };
    },
    want(id, nowMs) {
      const entry = entries.get(id);
      if (entry === undefined) return null;
      entry.wantedAtMs = nowMs;
      return entry.followed;
    },
    placeOf: (id) => entries.get(id)?.cwd ?? null,
    [Symbol.dispose]() {
      for (const run of [...entries.keys()]) drop(run);
    },
  };
}

/** Newest first. Of a run that was also copied from a store, its own folder counts. */
async function namesIn(places: readonly RunsPlace[]): Promise<readonly Named[]> {
  const listings = await Promise.all(places.map(async ({ runsFolder, cwd }) => ({ cwd, ...(await nameRuns(runsFolder)) })));
  const named = listings.flatMap(({ cwd, names, read }) => names.map((run) => ({ run, cwd, read })));
  const once = new Map(named.toReversed().map((each) => [each.run, each]));
  return [...once.values()].sort((one, other) => (one.run < other.run ? 1 : -1));
}

const sizeOf = ({ folder }: RunSummary) => statSync(join(folder, 'journal.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
const isUnchanged = ({ summary, size }: Entry) => summary.stopped !== null && sizeOf(summary) === size;

function releaseOld({ summary, followed, wantedAtMs }: Entry, nowMs: number): void {
  if (summary.stopped !== null && nowMs - wantedAtMs > KEEP_MS) followed.release();
}
