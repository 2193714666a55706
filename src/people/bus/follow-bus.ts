import { setTimeout as sleep } from 'node:timers/promises';
import type { BusMessage } from '../../journal/bus-message.ts';
import { openTrails } from './trails.ts';

const POLL_MS = 200;

export interface Following {
  readonly fromId: string | null;
  readonly onMessage: (message: BusMessage) => void;
}

/** Looks a few times a second whether the bus has grown. False when there is no message to begin after. */
export async function followBus(path: string, { fromId, onMessage }: Following, signal: AbortSignal): Promise<boolean> {
  using trails = openTrails(path, fromId);
  if (trails === null) return false;
  while (!signal.aborted) {
    for (const message of trails.next()) {
      if (signal.aborted) return true;
      onMessage(message);
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return true;
}
