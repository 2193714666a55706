import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './identity.ts';
import type { ProcessIdentity } from './process-request.ts';
import { nameOf, type ProcessRow, type ProcessTable, readProcessTable } from './process-table.ts';

/** Time to remove locks after SIGTERM: a killed git leaves `index.lock`, and every later git refuses to work. */
const graceMs = 1_000;
/** After this time a process is stuck in the kernel, where no signal reaches it. */
const longestKillingMs = 3_000;
const longestPauseMs = 50;
/** An exec takes well under a millisecond; a process without environment in three looks has none. */
const looksWhenUnsure = 3;

/**
 * Ends all related processes: SIGTERM to each, SIGKILL after the grace time. Looks again until none is left, because a process that is forked
 * during one look appears in the next. Resolves with the processes that are left: those of another user, or stuck in the kernel.
 */
export async function sweep(kin: RelatedProcesses): Promise<readonly ProcessRow[]> {
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

/** After a crash: ends all processes whose marker begins with the prefix, and the known processes with their descendants. */
export async function sweepMarked(prefix: string, known: readonly ProcessIdentity[]): Promise<readonly ProcessRow[]> {
  return await sweep(openRelatedProcesses({ known: known.filter(isAlive), session: null, isOurMarker: (marker) => marker.startsWith(prefix) }));
}

/** One empty look is enough if nothing was found before; otherwise two in a row are needed. */
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

/** Sends SIGTERM once per process: a second one makes some programs exit without cleaning up. */
function openEnding(kin: RelatedProcesses) {
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

/** False if we may not end it. A process that has already ended counts as success. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM');
  }
}

/** How to recognise a related process. */
export interface RelationTraits {
  /** Known processes: their descendants and all members of the sessions they lead are related. */
  readonly known: readonly ProcessIdentity[];
  /** A session that we opened, even if its leader has ended; null if there is none. */
  readonly session: ProcessIdentity | null;
  readonly isOurMarker: (marker: string) => boolean;
}

interface Look {
  /** Never includes this process or its ancestors. */
  readonly living: readonly ProcessRow[];
  /** A process was seen in the middle of an exec, so another look is needed. */
  readonly unsure: boolean;
}

/** All processes that come from one, found by descent, session and marker, and remembered once seen. */
export interface RelatedProcesses {
  look(): Look;
  /** Ignores a process that we cannot end because it belongs to another user. */
  giveUpOn(row: ProcessRow): void;
}

/** It must remember: a child that clears its environment and outlives its parent is found only because it was seen before. */
export function openRelatedProcesses(traits: RelationTraits): RelatedProcesses {
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

/** Reads only environments of processes younger than the session, because nothing it started can be older. */
function readMarks(table: ProcessTable, rows: readonly ProcessRow[], { session, isOurMarker }: RelationTraits) {
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

/** A session without members frees its id, and a foreign session may reuse it. */
function isReused(session: ProcessIdentity | null, rows: readonly ProcessRow[]): boolean {
  const leader = rows.find(({ pid }) => pid === session?.pid);
  return leader !== undefined && leader.startTime !== session?.startTime;
}

/** The seeds, their descendants, and all processes in sessions or groups they lead. */
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

/** A process and its ancestors. */
function lineOf(pid: number, rows: readonly ProcessRow[]): ReadonlySet<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.ppid]));
  const line = new Set<number>();
  for (let each: number | undefined = pid; each !== undefined && !line.has(each); each = parents.get(each)) line.add(each);
  return line;
}
