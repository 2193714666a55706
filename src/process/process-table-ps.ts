import { spawnSync } from 'node:child_process';
import { markerVariable } from './marker.ts';
import type { ProcessEnvironment, ProcessRow, ProcessTable } from './process-row.ts';

// Start times are compared as text, so language and time zone are fixed; the guardian uses the same.
export const psEnvironment = {
  LC_ALL: 'C',
  TZ: 'UTC0',
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin',
} as const;

const columns = 'pid=,ppid=,pgid=,stat=,lstart=';
const noEnvironment: ProcessEnvironment = { marker: null, empty: false };

/** The process table by `ps`, for systems without /proc. Tested with the ps of Linux only, never run on macOS. */
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

/** ps does not tell the session on every system; the group stands in for it. */
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
