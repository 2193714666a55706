import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import type { ProcessIdentity, StopCause, UseLimits } from '../process-request.ts';

const PAUSE_MS = 500;
const GIB = 1024 ** 3;
/** The kernel's number of a file system in memory. */
const TMPFS = 0x01_02_19_94;
/** A disk that was nearly full at the start must only keep a part of what it had. */
const PART_LEFT_FREE = 4;

interface Use {
  readonly cause: StopCause;
  readonly detail: string;
}

/**
 * Looks now and then how much all processes of a pid namespace use together, and calls `stop` once it is too much. `first` is the first process of the
 * namespace: its parent has all others, however they were started.
 */
export function watchUse(limits: UseLimits | undefined, first: () => ProcessIdentity | null, stop: (use: Use) => void): Disposable {
  if (limits === undefined) return { [Symbol.dispose]() {} };
  const leastFree = Math.min(limits.leastFreeBytes, (freeBytes(limits.disk) ?? 0) / PART_LEFT_FREE);
  const timer = setInterval(() => {
    const pid = first()?.pid;
    const use = pid === undefined ? null : tooMuch(pid, limits, leastFree);
    if (use === null) return;
    clearInterval(timer);
    stop(use);
  }, PAUSE_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function tooMuch(pid: number, { memoryBytes, processes, inMemory, disk }: UseLimits, leastFree: number): Use | null {
  const family = familyOf(pid, processes === 0 ? Number.POSITIVE_INFINITY : processes);
  if (processes > 0 && family.length > processes) return { cause: 'processes', detail: `more than ${processes} processes at a time (sandbox.maxProcesses)` };
  const free = freeBytes(disk);
  if (free !== null && free < leastFree) return { cause: 'disk', detail: `only ${Math.floor(free / 1024 ** 2)} MiB of disk space were left in ${disk}` };
  if (memoryBytes === 0) return null;
  const inFiles = inMemory.reduce((sum, path) => sum + usedInMemory(`/proc/${pid}/root${path}`), 0);
  const used = (field: RegExp, file: string) => inFiles + family.reduce((sum, each) => sum + kibIn(`/proc/${each}/${file}`, field) * 1024, 0);
  if (used(/^RssAnon:\s+(\d+)/m, 'status') <= memoryBytes) return null;
  // Slower, but it counts once what forked processes share.
  const bytes = used(/^Pss_Anon:\s+(\d+)/m, 'smaps_rollup');
  if (bytes <= memoryBytes) return null;
  return { cause: 'memory', detail: `${(bytes / GIB).toFixed(1)} GiB of memory used, of ${(memoryBytes / GIB).toFixed(1)} GiB allowed (sandbox.maxMemory)` };
}

/** The process and all that descend from it; at most one more than `most`. */
function familyOf(pid: number, most: number): readonly number[] {
  const family = [pid];
  for (const each of family) {
    if (family.length > most) break;
    for (const task of textsIn(() => readdirSync(`/proc/${each}/task`)))
      family.push(...textsIn(() => readFileSync(`/proc/${each}/task/${task}/children`, 'latin1').split(' ').filter(Boolean)).map(Number));
  }
  return family;
}

/** Nothing of a process that has just ended. */
function textsIn(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}

function kibIn(file: string, field: RegExp): number {
  const [text = ''] = textsIn(() => [readFileSync(file, 'latin1')]);
  return Number(field.exec(text)?.[1] ?? 0);
}

function usedInMemory(path: string): number {
  try {
    const { type, blocks, bfree, bsize } = statfsSync(path);
    return type === TMPFS ? (blocks - bfree) * bsize : 0;
  } catch {
    return 0;
  }
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
