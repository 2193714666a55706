import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './identity.ts';
import type { ProcessIdentity } from './process-request.ts';
import { nameOf, type ProcessRow, type ProcessTable, readProcessTable } from './process-table.ts';

/** Whoever is asked can take its locks away: a git that is killed leaves `index.lock`, and every later git refuses to work. */
const graceMs = 1_000;
/** Beyond this a process is stuck in the kernel, where no signal reaches it. */
const longestKillingMs = 3_000;
const longestPauseMs = 50;
/** An exec takes well under a millisecond; a process that shows no environment three times has none. */
const looksWhenUnsure = 3;

/**
 * Ends all of the kin: SIGTERM to each, and SIGKILL once the grace is over. Looks again until none is left, for what was being forked
 * during one look is there in the next. Resolves with what is left all the same: processes of another user, or stuck in the kernel.
 */
export async function sweep(kin: Kin): Promise<readonly ProcessRow[]> {
  const killFromMs = performance.now() + graceMs;
  const noneIsLeft = judgeLooks();
  const { end, refused } = openEnding(kin);
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const seen = kin.look();
    const nowMs = performance.now();
    if (noneIsLeft(seen) || nowMs > killFromMs + longestKillingMs) return [...refused, ...seen.living];
    for (const row of seen.living) end(row, nowMs < killFromMs ? 'SIGTERM' : 'SIGKILL');
    await sleep(pauseMs);
  }
}

/** After a crash: ends all whose marker begins with the prefix, and the processes known by name with all that came from them. */
export async function sweepMarked(prefix: string, known: readonly ProcessIdentity[]): Promise<readonly ProcessRow[]> {
  return await sweep(openKin({ known: known.filter(isAlive), session: null, isOurMarker: (marker) => marker.startsWith(prefix) }));
}

/** One empty look is believed at once; where something was found before, only the second in a row is. */
function judgeLooks(): (seen: Look) => boolean {
  let found = false;
  let emptyLooks = 0;
  let unsureLooks = 0;
  return ({ living, unsure }) => {
    found ||= living.length > 0;
    emptyLooks = living.length === 0 ? emptyLooks + 1 : 0;
    unsureLooks += Number(unsure);
    return emptyLooks >= (found ? 2 : 1) && (!unsure || unsureLooks >= looksWhenUnsure);
  };
}

/** Each is asked once: a second SIGTERM makes some programs leave without cleaning up. */
function openEnding(kin: Kin) {
  const asked = new Set<string>();
  const refused: ProcessRow[] = [];
  return {
    refused,
    end(row: ProcessRow, signal: 'SIGTERM' | 'SIGKILL') {
      if (signal === 'SIGTERM' && asked.has(nameOf(row))) return;
      asked.add(nameOf(row));
      if (send(row.pid, signal)) return;
      refused.push(row);
      kin.giveUpOn(row);
    },
  };
}

/** False when it is not ours to end. One that is already gone is as good as ended. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM');
  }
}

/** What makes a process one of ours. */
export interface KinTraits {
  /** Processes we know by name: theirs are all descendants, and all members of the sessions they lead. */
  readonly known: readonly ProcessIdentity[];
  /** A session we opened ourselves, also when its leader is gone; null when there is none. */
  readonly session: ProcessIdentity | null;
  readonly isOurMarker: (marker: string) => boolean;
}

interface Look {
  /** Never this process or one it came from. */
  readonly living: readonly ProcessRow[];
  /** A process was seen just as it was replaced by exec, so another look is due. */
  readonly unsure: boolean;
}

/** All processes that came from one, found by descent, session and marker, and remembered once seen. */
export interface Kin {
  look(): Look;
  /** Out of our reach (not our user's): never named again. */
  giveUpOn(row: ProcessRow): void;
}

/** Remembering matters: a child that clears its environment and outlives its parent is found only because it was seen before. */
export function openKin(traits: KinTraits): Kin {
  const noted = new Map(traits.known.map(({ pid, startTime }) => [pid, startTime]));
  const outOfReach = new Set<string>();

  return {
    look() {
      const table = readProcessTable(traits.session?.startTime ?? null);
      const spared = lineOf(process.pid, table.rows);
      const candidates = table.rows.filter((row) => !row.zombie && !spared.has(row.pid) && !outOfReach.has(nameOf(row)));
      const { marked, blank } = readMarks(table, candidates, traits);
      const session = isReused(traits.session, table.rows) ? null : traits.session;
      const living = closeOver(candidates, (row) => noted.get(row.pid) === row.startTime || marked.has(row.pid), session);
      for (const row of living) {
        noted.set(row.pid, row.startTime);
        blank.delete(row.pid);
      }
      return { living, unsure: blank.size > 0 };
    },
    giveUpOn(row) {
      outOfReach.add(nameOf(row));
    },
  };
}

/** Environments are read only of processes younger than the session: nothing it started can be older. */
function readMarks(table: ProcessTable, rows: readonly ProcessRow[], { session, isOurMarker }: KinTraits) {
  const marked = new Set<number>();
  const blank = new Set<number>();
  for (const row of rows) {
    if (session !== null && Number(row.startTime) < Number(session.startTime)) continue;
    const { marker, empty } = table.environmentOf(row.pid);
    if (marker !== null && isOurMarker(marker)) marked.add(row.pid);
    if (empty) blank.add(row.pid);
  }
  return { marked, blank };
}

/** A session without members gives its number back, and the next one to get it is a stranger. */
function isReused(session: ProcessIdentity | null, rows: readonly ProcessRow[]): boolean {
  const leader = rows.find(({ pid }) => pid === session?.pid);
  return leader !== undefined && leader.startTime !== session?.startTime;
}

/** The seeds, all that descend from them, and all in sessions or groups they lead. */
function closeOver(rows: readonly ProcessRow[], isSeed: (row: ProcessRow) => boolean, session: ProcessIdentity | null) {
  const ours = new Set<number>(rows.filter(isSeed).map((row) => row.pid));
  const belongs = (row: ProcessRow) =>
    ours.has(row.ppid) || ours.has(row.sid) || ours.has(row.pgid) || (session !== null && (row.sid === session.pid || row.pgid === session.pid));
  for (let before = -1; before !== ours.size; ) {
    before = ours.size;
    for (const row of rows) if (belongs(row)) ours.add(row.pid);
  }
  return rows.filter((row) => ours.has(row.pid));
}

/** A process and all it came from. */
function lineOf(pid: number, rows: readonly ProcessRow[]): ReadonlySet<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.ppid]));
  const line = new Set<number>();
  for (let each: number | undefined = pid; each !== undefined && !line.has(each); each = parents.get(each)) line.add(each);
  return line;
}
