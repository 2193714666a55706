import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../../../kit/files/write-atomic.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { Projection } from '../../../engine/projection.ts';

interface Pulse {
  readonly nowMs: () => number;
  readonly warn: (text: string) => void;
  /** How often it beats while nothing happens. */
  readonly everyMs?: number;
}

/** Who calls a heartbeat old after two minutes is right. */
const EVERY_MS = 30_000;
const WORTH_A_BEAT: ReadonlySet<EventBody['type']> = new Set(['run.started', 'run.resumed', 'iteration.opened', 'iteration.closed', 'run.stopped']);

/** Keeps `ralph.heartbeat`: the time, anew with every task (seed 000) and twice a minute between them, so that an old one means a loop that is gone or stuck. */
export function keepHeartbeat(folder: string, { nowMs, warn, everyMs = EVERY_MS }: Pulse): Projection {
  const path = join(folder, 'ralph.heartbeat');
  let writing: Promise<void> | null = null;
  let isDue = false;
  let isTold = false;
  let timer: NodeJS.Timeout | null = null;

  /** Beats that come while one is written are one. */
  async function write(): Promise<void> {
    while (isDue) {
      isDue = false;
      await put(path, folder, nowMs()).catch((error: Error) => {
        if (!isTold) warn(`cannot write ${path}: ${error.message}`);
        isTold = true;
      });
    }
    writing = null;
  }

  function beat(): void {
    isDue = true;
    writing ??= write();
  }

  function rest(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  return {
    onEvent({ body }) {
      if (!WORTH_A_BEAT.has(body.type)) return;
      beat();
      if (body.type === 'run.stopped') rest();
      else timer ??= setInterval(beat, everyMs).unref();
    },
    async close() {
      rest();
      await writing;
    },
  };
}

async function put(path: string, folder: string, atMs: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeAtomic(path, `${new Date(atMs).toISOString()}\n`, 0o644);
}
