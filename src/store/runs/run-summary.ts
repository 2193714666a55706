import { closeSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { RunStopped } from '../../journal/events/sitting.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import { firstLineIn, LineTooLong, lastLineIn } from '../../kit/files/file-lines.ts';
import { openRegular } from '../../kit/files/read.ts';
import { type Liveness, livenessOf } from '../../process/identity.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import type { ForeignLock } from '../lock.ts';
import { activeProcessOf, listFolder, type RunsListing } from './run-lock.ts';
import { lastWriterIn, parsed, readStarted, type StartedRun, type TaskOfRun } from './started-run.ts';

/** A run, summarised from its first line, its last line and its lock. */
export interface RunSummary {
  readonly kind: 'run';
  readonly run: string;
  readonly runsFolder: string;
  readonly folder: string;
  readonly recipe: string;
  /** Null for a run without a task folder. */
  readonly task: TaskOfRun | null;
  readonly cwd: string;
  readonly origin: string;
  /** The worktree created for it; null if it works in place. */
  readonly worktree: string | null;
  /** How many gates or checks it has to pass. */
  readonly gates: number;
  readonly startedAtMs: number;
  readonly lastAtMs: number;
  /** How it ended; null if it still runs or died without a stop event. */
  readonly stopped: Outcome | null;
  /** Of its process. `unknown`: it may run where we cannot look. */
  readonly liveness: Liveness;
  /** The process that holds the run; null if its lock does not name it. If nobody holds it, the last known writer. */
  readonly writer: ProcessIdentity | null;
}

/** A folder with the name of a run that cannot be read. */
export interface UnreadableRun {
  readonly kind: 'unreadable';
  readonly run: string;
  readonly runsFolder: string;
  readonly folder: string;
  readonly why: string;
  readonly liveness: Liveness;
}

export type RunSummaryOrProblem = RunSummary | UnreadableRun;

/** A resume may take the lock and write while we look, but not three times in a row. */
const mostLooks = 3;

/** Null if there is no such run, or if it has no first line and no process is about to write it. Changes nothing and never waits. */
export async function readRunSummary(runsFolder: string, run: string): Promise<RunSummaryOrProblem | null> {
  return await summaryFrom(listFolder(runsFolder), run);
}

/**
 * The same for a folder that is already listed. Reads the lock first: a process that has released it has written its last line by then.
 * A process counts as dead only if it still does after a second listing, because a resume may have come in between.
 */
export async function summaryFrom(listing: RunsListing, run: string): Promise<RunSummaryOrProblem | null> {
  const { runsFolder } = listing;
  for (let looks = 1, seen = listing; ; looks += 1) {
    const sight = look(seen, run);
    if (looks === mostLooks || !looksDead(sight)) return sight;
    const again = listFolder(runsFolder);
    if (again.lockFileOf(run) === seen.lockFileOf(run)) return sight;
    seen = again;
  }
}

function looksDead(sight: RunSummaryOrProblem | null): boolean {
  return sight?.kind === 'run' && sight.stopped === null && sight.liveness !== 'alive';
}

function look(listing: RunsListing, run: string): RunSummaryOrProblem | null {
  const { runsFolder } = listing;
  const lock = { isThere: listing.lockFileOf(run) !== null, held: activeProcessOf(run, listing) };
  const where = { run, runsFolder, folder: join(runsFolder, run) };
  const told = tellFolder(where.folder, lock);
  if (told === null) return null;
  if (typeof told === 'string') return { kind: 'unreadable', ...where, why: told, liveness: lock.held?.liveness ?? 'dead' };
  return { kind: 'run', ...where, ...told };
}

interface Lock {
  /** Whether there is a lock file. */
  readonly isThere: boolean;
  /** By the process that works on the run. */
  readonly held: ForeignLock | null;
}

type Told = Omit<RunSummary, 'kind' | 'run' | 'runsFolder' | 'folder'>;

/** A text says why the folder cannot be read. Null if there is no run. */
function tellFolder(folder: string, lock: Lock): Told | string | null {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  // Through a link we would read, and prune, something else.
  if (!found?.isDirectory()) return found?.isSymbolicLink() ? 'its folder is a link' : null;
  const journal = `${folder}/journal.jsonl`;
  const ends = readJournalEnds(journal);
  if (ends.kind === 'unreadable') return ends.why;
  if (ends.kind !== 'ends') return lock.held === null ? null : 'it has not begun its journal yet';
  const started = readStarted(ends.first);
  if (started === null) return 'its journal does not begin as one';
  const last = readLast(ends.last);
  if (last === null) return 'the last line of its journal is no event';
  return { ...ofStart(started), ...last, ...(last.stopped !== null && lock.held === null ? itIsOver(started) : processOf(started, journal, lock)) };
}

type ItsProcess = Pick<RunSummary, 'liveness' | 'writer'>;

/** Even if its process still does something else. */
function itIsOver({ writer }: StartedRun): ItsProcess {
  return { liveness: 'dead', writer };
}

function processOf(started: StartedRun, journal: string, { isThere, held }: Lock): ItsProcess {
  if (held !== null) return { liveness: held.liveness, writer: identityIn(held.by) };
  const writer = writerOf(started, journal);
  return { liveness: isThere ? deadUnlessFarAway(writer) : livenessOf(writer), writer };
}

function ofStart({ recipe, task, cwd, origin, worktree, gates, startedAtMs }: StartedRun) {
  return { recipe, task, cwd, origin, worktree, gates, startedAtMs };
}

/** A process that has released a run no longer works on it. */
function deadUnlessFarAway(writer: ProcessIdentity): Liveness {
  return livenessOf(writer) === 'unknown' ? 'unknown' : 'dead';
}

/** Searches for a resume only if the run was started where we cannot look. */
function writerOf({ writer }: StartedRun, journal: string): ProcessIdentity {
  return livenessOf(writer) === 'unknown' ? (lastWriterIn(journal) ?? writer) : writer;
}

/** Without the lock's note. Null for a record that names no process. */
function identityIn({ host, bootId, pid, startTime }: ProcessIdentity): ProcessIdentity | null {
  return pid === 0 ? null : { host, bootId, pid, startTime };
}

/** Null for a line that is no event; an ending of a form we do not know is none that we could tell. */
function readLast(line: string): { readonly lastAtMs: number; readonly stopped: Outcome | null } | null {
  const event = parsed(line) as { readonly type?: unknown; readonly at?: unknown } | null;
  if (typeof event?.type !== 'string' || typeof event.at !== 'number') return null;
  if (event.type !== 'run.stopped') return { lastAtMs: event.at, stopped: null };
  const { v: _v, seq: _seq, at: _at, d: _d, ...body } = event as Record<string, unknown>;
  const stopped = RunStopped.safeParse(body);
  return stopped.success ? { lastAtMs: event.at, stopped: stopped.data.outcome } : null;
}

/** `absent`: there is no such file. `empty`: it has no complete line. In both cases the run never wrote its first line. */
export type Ends =
  | { readonly kind: 'ends'; readonly first: string; readonly last: string }
  | { readonly kind: 'absent' | 'empty' }
  | { readonly kind: 'unreadable'; readonly why: string };

/** The first and the last complete line of a journal of any length. Never waits: it opens only regular files. */
export function readJournalEnds(path: string): Ends {
  return reading(path, (fd) => {
    const first = firstLineIn(fd);
    return first === null ? { kind: 'empty' } : { kind: 'ends', first, last: lastLineIn(fd) };
  });
}

function reading(path: string, read: (fd: number) => Ends): Ends {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { kind: 'absent' };
  if (!found.isFile()) return { kind: 'unreadable', why: 'its journal is not a regular file' };
  const fd = openRegular(path);
  if (fd === null) return { kind: 'unreadable', why: 'its journal cannot be opened' };
  try {
    return read(fd);
  } catch (error) {
    return {
      kind: 'unreadable',
      why: error instanceof LineTooLong ? 'its journal holds a line that is too long' : `its journal cannot be read: ${(error as Error).message}`,
    };
  } finally {
    closeSync(fd);
  }
}
