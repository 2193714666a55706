import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ForksPoolWorker, type PoolOptions, type PoolWorker } from 'vitest/node';

/** What a worker with the modules of many tests needs. */
const MOST_KB = 90_000;

/**
 * Workers of vitest that make place for a fresh one when they have grown: most tests start processes, and the kernel copies the tables of all memory of
 * a worker for each. With 300 MB a start takes six times the processor time of one with 50 MB.
 */
export const smallWorkers = {
  name: 'small-forks',
  createPoolWorker(options: PoolOptions): PoolWorker {
    const worker = new ForksPoolWorker(options);
    const pid = () => (Reflect.get(worker, 'fork') as ChildProcess).pid;
    return Object.assign(worker, { name: 'small-forks', canReuse: () => ownMemoryKb(pid()) < MOST_KB });
  },
};

/** Without what files back. 0 where /proc does not tell. */
function ownMemoryKb(pid: number | undefined): number {
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
