import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './open-database.ts';

const CHANNEL = 'ralph';
/** A notification takes a millisecond. */
const ECHO_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

interface HintOptions {
  readonly fleet: string;
  readonly onHint: () => void;
  /** The store passes on no notifications, as behind PgBouncer in transaction mode. */
  readonly onDeaf: () => void;
}

/** Listens for changed tasks on a connection of its own, and connects again when that is cut. Nothing depends on it: workers look again anyway. */
export function listenForHints(database: Database, { fleet, onHint, onDeaf }: HintOptions): AsyncDisposable {
  const stop = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }));
  /** Until the connection is cut. */
  const listenOnce = async (): Promise<'cut' | 'deaf'> => {
    const [nonce, heard] = [randomUUID(), { any: false }];
    await using line = await database.listen(CHANNEL, (payload) => {
      heard.any = true;
      if (payload === fleet) onHint();
    });
    await database.query('select pg_notify($1, $2)', [CHANNEL, nonce]);
    await Promise.race([line.cut, pause(ECHO_MS)]);
    if (!heard.any && !stop.signal.aborted && !(await isSettled(line.cut))) return 'deaf';
    await Promise.race([line.cut, stopped]);
    return 'cut';
  };
  const listen = async () => {
    for (let pauseMs = FIRST_PAUSE_MS; !stop.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const startedMs = performance.now();
      if ((await listenOnce().catch(() => 'cut')) === 'deaf') return onDeaf();
      if (performance.now() - startedMs > LONGEST_PAUSE_MS) pauseMs = FIRST_PAUSE_MS;
      await pause(pauseMs);
      // Whatever was told meanwhile was not heard.
      if (!stop.signal.aborted) onHint();
    }
  };
  const listening = listen();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await listening;
    },
  };
}

const isSettled = (promise: Promise<void>) => Promise.race([promise.then(() => true), Promise.resolve(false)]);
