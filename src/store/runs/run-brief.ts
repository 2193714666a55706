import { closeSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { RunStopped } from '../../journal/events/run.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import { firstLineIn, LineTooLong, lastLineIn } from '../../kit/files/file-lines.ts';
import { openRegular } from '../../kit/files/read.ts';
import { type Liveness, livenessOf } from '../../process/identity.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import type { HeldByAnother } from '../lock.ts';
import { lastWriterIn } from './last-writer.ts';
import { listFolder, type RunsListing, workerOn } from './run-lock.ts';
import { parsed, readStarted, type StartedRun, type TaskOfRun } from './started-run.ts';

/** A run as its first line, its last line and its lock tell it. */
export interface RunBrief {
  readonly kind: 'run';
  readonly run: string;
  readonly runsFolder: string;
  readonly folder: string;
  readonly recipe: string;
  /** Of a run in a task folder; null for any other. */
  readonly task: TaskOfRun | null;
  readonly cwd: string;
  readonly origin: string;
  /** The worktree that was made for it; null when it works in place. */
  readonly worktree: string | null;
  /** How many gates or checks it has to pass. */
  readonly gates: number;
  readonly startedAtMs: number;
  readonly lastAtMs: number;
  /** How it ended; null while it goes on, and for one that died before it could say. */
  readonly stopped: Outcome | null;
  /** Of its process. `unknown`: it runs, if it does, where we cannot look. */
  readonly liveness: Liveness;
  /** The process that holds the run, null when its lock does not name it; of a run that nobody holds, the one that wrote it, as far as that is told. */
  readonly writer: ProcessIdentity | null;
}

/** A folder that is called as a run is and tells nothing. */
export interface UnreadableRun {
  readonly kind: 'unreadable';
  readonly run: string;
  readonly runsFolder: string;
  readonly folder: string;
  readonly why: string;
  readonly liveness: Liveness;
}

export type RunSight = RunBrief | UnreadableRun;

/** A resume takes the lock and writes while we look; it does not do so three times in a row. */
const mostLooks = 3;

/** Null when there is no such run, or when it never came to its first line and nobody is about to write it. Looks only, and never waits. */
export async function readRunBrief(runsFolder: string, run: string): Promise<RunSight | null> {
  return await briefFrom(await listFolder(runsFolder), run);
}

/**
 * The same with a folder that was listed before. The lock is looked at first: who lets it go has written its last line by then. Dead is
 * only who still is when the folder is listed again, for a resume may have come in between.
 */
export async function briefFrom(listing: RunsListing, run: string): Promise<RunSight | null> {
  const { runsFolder } = listing;
  for (let looks = 1, seen = listing; ; looks += 1) {
    const sight = look(seen, run);
    if (looks === mostLooks || !looksDead(sight)) return sight;
    const again = await listFolder(runsFolder);
    if (again.lockFileOf(run) === seen.lockFileOf(run)) return sight;
    seen = again;
  }
}

function looksDead(sight: RunSight | null): boolean {
  return sight?.kind === 'run' && sight.stopped === null && sight.liveness !== 'alive';
}

function look(listing: RunsListing, run: string): RunSight | null {
  const { runsFolder } = listing;
  const lock = { isThere: listing.lockFileOf(run) !== null, held: workerOn(run, listing) };
  const where = { run, runsFolder, folder: join(runsFolder, run) };
  const told = tellFolder(where.folder, lock);
  if (told === null) return null;
  if (typeof told === 'string') return { kind: 'unreadable', ...where, why: told, liveness: lock.held?.liveness ?? 'dead' };
  return { kind: 'run', ...where, ...told };
}

interface Lock {
  /** Whether anybody ever held it, and nobody has removed that. */
  readonly isThere: boolean;
  /** By who is at work on the run. */
  readonly held: HeldByAnother | null;
}

type Told = Omit<RunBrief, 'kind' | 'run' | 'runsFolder' | 'folder'>;

/** A text says why it cannot be told. Null: there is no run. */
function tellFolder(folder: string, lock: Lock): Told | string | null {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  // Through a link we would read, and prune, what lies somewhere else.
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

type ItsProcess = Pick<RunBrief, 'liveness' | 'writer'>;

/** Whatever else its process still does. */
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

/** Who let go of a run does not work on it, whatever else it does. */
function deadUnlessFarAway(writer: ProcessIdentity): Liveness {
  return livenessOf(writer) === 'unknown' ? 'unknown' : 'dead';
}

/** Only a run that began where we cannot look is read for who resumed it. */
function writerOf({ writer }: StartedRun, journal: string): ProcessIdentity {
  return livenessOf(writer) === 'unknown' ? (lastWriterIn(journal) ?? writer) : writer;
}

/** Without the note of a lock. Null for a record that names no process. */
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

/** `absent`: there is no such file. `empty`: it has no whole line. Both are of a run that never came to its first line. */
export type Ends =
  | { readonly kind: 'ends'; readonly first: string; readonly last: string }
  | { readonly kind: 'absent' | 'empty' }
  | { readonly kind: 'unreadable'; readonly why: string };

/** The first and the last whole line of a journal, however long it is. Never waits: what is not a regular file is not opened. */
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
