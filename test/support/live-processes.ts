import { readdirSync, readFileSync } from 'node:fs';

/** Whether the process with that pid runs. A zombie does not run; but one with other threads is still ending. */
export function isRunning(pid: number): boolean {
  const fields = read(`/proc/${pid}/stat`).split(') ').pop()?.split(' ') ?? [];
  const [state = '', threads] = [fields[0], Number(fields[17])];
  return state === 'Z' ? threads > 1 : state !== '' && state !== 'X';
}

/** The running processes that carry the marker, or one below it, found without any code of ours. */
export function runningWithMarker(marker: string): readonly number[] {
  return allPids().filter((pid) => isRunning(pid) && variablesOf(pid).some((entry) => belongsTo(entry, marker)));
}

/** The running processes whose command line holds the text. */
export function runningWithCommand(text: string): readonly number[] {
  return allPids().filter((pid) => isRunning(pid) && pid !== process.pid && read(`/proc/${pid}/cmdline`).includes(text));
}

export function variablesOf(pid: number): readonly string[] {
  return read(`/proc/${pid}/environ`).split('\0');
}

function belongsTo(entry: string, marker: string): boolean {
  return entry === `RALPH_MARKER=${marker}` || entry.startsWith(`RALPH_MARKER=${marker}/`);
}

function allPids(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
