import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';

/** All processes that a process starts inherit this variable, so we can find them in any group or session. */
export const markerVariable = 'RALPH_MARKER';

type Source = 'proc' | 'ps' | 'none';
let source: Source | undefined;

/**
 * All visible processes. Synchronous on purpose: the caller can signal what it finds before anything else happens here. With `sinceTime`, the rows
 * of processes that started earlier may be up to a second old.
 */
export function readProcessTable(sinceTime: string | null = null): ProcessTable {
  switch (tableSource()) {
    case 'proc':
      return readProcTable(Number(sinceTime ?? Number.NaN));
    case 'ps':
      return readPsTable();
    case 'none':
      return { rows: [], environmentOf: () => ({ marker: null, empty: false }) };
  }
}

/** One process, or null if no process has that pid. */
export function readProcessRow(pid: number): ProcessRow | null {
  switch (tableSource()) {
    case 'proc':
      return readProcRow(pid);
    case 'ps':
      return readPsRow(pid);
    case 'none':
      return null;
  }
}

function tableSource(): Source {
  source ??= process.platform === 'win32' ? 'none' : existsSync('/proc/self/stat') ? 'proc' : 'ps';
  return source;
}

/** One line of the process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  /** It has ended but its parent has not collected it; it still answers `kill(pid, 0)`. */
  readonly zombie: boolean;
  /** When it started, in the system's own format. Compared only for equality; never reused together with its pid. */
  readonly startTime: string;
}

/** A name that is unique even if the pid is reused later. */
export function nameOf({ pid, startTime }: Pick<ProcessRow, 'pid' | 'startTime'>): string {
  return `${pid}@${startTime}`;
}

/** The environment of a process. It may be empty while the process runs exec. */
export interface ProcessEnvironment {
  readonly marker: string | null;
  readonly empty: boolean;
}

/** The visible processes of this machine at one moment. */
export interface ProcessTable {
  readonly rows: readonly ProcessRow[];
  environmentOf(pid: number): ProcessEnvironment;
}

const markerEntry = Buffer.from(`${markerVariable}=`);
const goneOrNotOurs: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);
const kernelThreadFlag = 0x00200000;
let page = Buffer.allocUnsafeSlow(64 * 1024);

/** The process table from Linux's /proc: about ten microseconds per process, and no process is started. */
function readProcTable(sinceTime: number): ProcessTable {
  const nowMs = performance.now();
  const before = readLately;
  const seen = new Map<number, RowRead>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const known = before.get(pid);
    const isStill = known !== undefined && nowMs - known.atMs < reuseMs && (known.row === null || Number(known.row.startTime) < sinceTime);
    seen.set(pid, isStill ? known : { row: readProcRow(pid), atMs: nowMs });
  }
  readLately = seen;
  return { rows: [...seen.values()].flatMap(({ row }) => row ?? []), environmentOf: readProcEnvironment };
}

interface RowRead {
  /** Null for a kernel thread or a process that has ended meanwhile. */
  readonly row: ProcessRow | null;
  readonly atMs: number;
}

/** A pid is not reused this soon: that would take as many new processes as there are pids. */
const reuseMs = 1_000;
let readLately: ReadonlyMap<number, RowRead> = new Map();

function readProcRow(pid: number): ProcessRow | null {
  const stat = readProcFile(`/proc/${pid}/stat`);
  return stat === null ? null : parseStat(pid, stat.toString('latin1'));
}

/** The program name is in parentheses and may contain any character, so fields are counted after the last parenthesis. Null for a kernel thread. */
function parseStat(pid: number, stat: string): ProcessRow | null {
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ', 20);
  const [state, ppid, pgid, sid] = fields;
  const threads = Number(fields[17]);
  const startTime = fields[19];
  if (nameEnd < 0 || startTime === undefined || (Number(fields[6]) & kernelThreadFlag) !== 0) return null;
  // A process whose first thread has ended looks like a zombie while its other threads still run.
  const zombie = state === 'X' || (state === 'Z' && threads <= 1);
  return { pid, ppid: Number(ppid), pgid: Number(pgid), sid: Number(sid), zombie, startTime };
}

function readProcEnvironment(pid: number): ProcessEnvironment {
  const environ = readProcFile(`/proc/${pid}/environ`);
  if (environ === null) return { marker: null, empty: false };
  return { marker: markerIn(environ), empty: environ.length === 0 };
}

function markerIn(environ: Buffer): string | null {
  let at = environ.indexOf(markerEntry);
  while (at > 0 && environ[at - 1] !== 0) at = environ.indexOf(markerEntry, at + 1);
  if (at < 0) return null;
  const start = at + markerEntry.length;
  const end = environ.indexOf(0, start);
  return environ.toString('utf8', start, end < 0 ? environ.length : end);
}

/** The whole file, valid until the next call; null if the process has ended or we may not read it. */
function readProcFile(path: string): Buffer | null {
  let fd: number | null = null;
  try {
    fd = openSync(path, 'r');
    let length = 0;
    for (;;) {
      const read = readSync(fd, page, length, page.length - length, null);
      length += read;
      if (read === 0) return page.subarray(0, length);
      if (length === page.length) page = Buffer.concat([page], page.length * 2);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && goneOrNotOurs.has(String(error.code))) return null;
    throw error;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

// Start times are compared as text, so language and time zone are fixed; the guardian uses the same.
export const psEnvironment = {
  LC_ALL: 'C',
  TZ: 'UTC0',
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin',
} as const;

const columns = 'pid=,ppid=,pgid=,stat=,lstart=';
const noEnvironment: ProcessEnvironment = { marker: null, empty: false };

/** The process table from `ps`, for systems without /proc. Tested only with Linux's ps, not on macOS. */
export function readPsTable(): ProcessTable {
  const rows = ps(['-axo', columns]).flatMap((line) => parsePsLine(line) ?? []);
  let markers: ReadonlyMap<number, string> | null = null;
  return {
    rows,
    environmentOf(pid) {
      markers ??= readMarkers();
      const marker = markers.get(pid);
      return marker === undefined ? noEnvironment : { marker, empty: false };
    },
  };
}

export function readPsRow(pid: number): ProcessRow | null {
  const [line] = ps(['-o', columns, '-p', String(pid)]);
  return line === undefined ? null : parsePsLine(line);
}

/** Not every ps shows the session; we use the group instead. */
function parsePsLine(line: string): ProcessRow | null {
  const [pid, ppid, pgid, state, ...started] = line.trim().split(/\s+/);
  if (state === undefined || started.length === 0) return null;
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    pgid: Number(pgid),
    sid: Number(pgid),
    zombie: state.startsWith('Z'),
    startTime: started.join('_'),
  };
}

/** Environments as ps appends them to the command: the marker holds no space, so it ends at the next one. */
function readMarkers(): ReadonlyMap<number, string> {
  const markers = new Map<number, string>();
  const withEnvironment = process.platform === 'darwin' ? '-axEww' : 'axeww';
  for (const line of ps([withEnvironment, '-o', 'pid=,command='])) {
    const marker = line.split(` ${markerVariable}=`)[1]?.split(' ')[0];
    if (marker !== undefined) markers.set(Number.parseInt(line, 10), marker);
  }
  return markers;
}

function ps(args: readonly string[]): readonly string[] {
  const { stdout } = spawnSync('ps', args, { env: psEnvironment, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  return (stdout ?? '').split('\n').filter((line) => line.trim() !== '');
}
