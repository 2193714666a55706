import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../sandbox/environment/environment.ts';
import { takeLock } from '../store/lock.ts';
import { runtimeFolder, stateFolder } from '../store/user-folders.ts';

const PAUSE_MS = 100;

interface Turn {
  readonly isSerial: boolean;
  readonly start: () => void;
}

/** How many gates of this process are running, and the one that must be alone. */
let running = 0;
let alone: Turn | null = null;
/** Gates that wait, in their order. Those behind a serial one wait with it, so that it gets its turn. */
const waiting: Turn[] = [];

/**
 * Waits until a gate may run. A serial one runs beside no other gate of this process, whichever worker's it is, and beside no serial gate of any other run
 * of this user on this machine: for fixed ports and shared databases. An aborted wait ends at once.
 */
export async function gateTurn(isSerial: boolean, signal: AbortSignal): Promise<AsyncDisposable> {
  const turn = await turnHere(isSerial, signal);
  const lock = isSerial ? await turnOnMachine(signal) : null;
  return {
    async [Symbol.asyncDispose]() {
      await lock?.release().catch(() => undefined);
      running -= 1;
      if (alone === turn) alone = null;
      startWaiting();
    },
  };
}

async function turnHere(isSerial: boolean, signal: AbortSignal): Promise<Turn> {
  return await new Promise((resolve) => {
    const entry: Turn = {
      isSerial,
      start() {
        signal.removeEventListener('abort', onAbort);
        running += 1;
        if (isSerial && !signal.aborted) alone = entry;
        resolve(entry);
      },
    };
    const onAbort = () => {
      const place = waiting.indexOf(entry);
      if (place === -1) return;
      waiting.splice(place, 1);
      entry.start();
    };
    waiting.push(entry);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    startWaiting();
  });
}

function startWaiting(): void {
  for (let [next] = waiting; next !== undefined && alone === null && (!next.isSerial || running === 0); [next] = waiting) {
    waiting.shift();
    next.start();
  }
}

/** A holder that died, or that nobody here can see, is not waited for. */
async function turnOnMachine(signal: AbortSignal): Promise<{ release(): Promise<void> } | null> {
  const env = environment();
  const folder = stateFolder(env) ?? runtimeFolder(env);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (;;) {
      const lock = await takeLock(join(folder, 'serial-gate'), 'a serial gate');
      if (lock.kind === 'taken') return lock;
      if (lock.liveness !== 'alive' || signal.aborted) return null;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  } catch {
    return null;
  }
}
