import { join } from 'node:path';
import { readText } from '../../kit/files/read-text.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import * as z from '../../kit/pure/shape.ts';
import type { Message } from '../channels/channel.ts';
import type { Notice } from '../notices/notices.ts';
import type { Failure } from './deliver.ts';

/** The notices of one channel on their way: at most one message in each interval, about everything since the last one. */
export interface ChannelQueue {
  add(notices: readonly Notice[]): void;
  /** Sends what waits, at once and for the last time. Resolves when nothing is under way. Never rejects. */
  flush(): Promise<void>;
}

export interface QueueOptions {
  readonly intervalMs: number;
  /** How long the first notice waits for others that belong to it. */
  readonly settleMs: number;
  readonly nowMs: () => number;
  readonly told: { readonly get: () => ToldBy; readonly set: (told: ToldBy) => Promise<void> };
  readonly compose: (notices: readonly Notice[]) => Message;
  readonly send: (message: Message) => Promise<Failure>;
  readonly onFailure: (why: string) => void;
}

/** More are dropped, oldest first: nobody reads them. */
const MOST_WAITING = 500;

export function openChannelQueue({ intervalMs, settleMs, nowMs, told, compose, send, onFailure }: QueueOptions): ChannelQueue {
  let waiting: readonly Notice[] = [];
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<void> = Promise.resolve();
  let isBusy = false;
  let isEnding = false;

  const disarm = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };

  const arm = () => {
    if (timer !== null || isBusy || isEnding || waiting.length === 0) return;
    const sentMs = told.get().at;
    const dueMs = Math.max(nowMs() + settleMs, sentMs === 0 ? 0 : sentMs + intervalMs);
    timer = setTimeout(() => {
      timer = null;
      last = last.then(() => sendWaiting('for now'));
    }, dueMs - nowMs());
    timer.unref();
  };

  /** It counts as told before it is sent: killed in between, a resumed run does not send it again. What failed is part of the next message. */
  async function sendWaiting(when: 'for now' | 'for the last time'): Promise<void> {
    const notices = waiting;
    if (notices.length === 0) return;
    waiting = [];
    isBusy = true;
    const before = told.get();
    const at = nowMs();
    await remember({ seq: Math.max(before.seq, ...notices.map(({ seq }) => seq)), at });
    const why = await send(compose(notices)).catch((error: unknown) => String(error));
    if (why !== null) onFailure(why);
    if (why !== null && when === 'for now') {
      waiting = [...notices, ...waiting].slice(-MOST_WAITING);
      await remember({ seq: before.seq, at });
    }
    isBusy = false;
    arm();
  }

  /** A full disk is no reason to tell nobody. */
  const remember = (now: ToldBy) => told.set(now).catch(() => undefined);

  return {
    add(notices) {
      waiting = [...waiting, ...notices].slice(-MOST_WAITING);
      arm();
    },
    async flush() {
      isEnding = true;
      disarm();
      last = last.then(() => sendWaiting('for the last time'));
      await last;
    },
  };
}

/** What a channel has told: everything up to this event, in a message that was sent at this time. */
const ToldBy = z.strictObject({ seq: z.number(), at: z.number() });
export type ToldBy = Readonly<z.infer<typeof ToldBy>>;

const NOTHING: ToldBy = { seq: 0, at: 0 };

/** Remembers in the run's folder what each channel has told, so that a resumed run tells nothing twice. */
export interface Told {
  of(channel: string): ToldBy;
  /** Resolves when it is on the disk. */
  set(channel: string, told: ToldBy): Promise<void>;
}

/** `lastSeq`: the last event of the journal. If the file cannot be read, all of it counts as told. */
export async function openTold(runFolder: string, lastSeq: number): Promise<Told> {
  const path = join(runFolder, 'notified.json');
  const read = await readText(path, 'refuse pipes');
  const isMissing = read.kind === 'no-text' && read.why === 'missing';
  const known = read.kind === 'text' ? parsed(read.text) : null;
  const unknown = isMissing || known !== null ? NOTHING : { seq: lastSeq, at: 0 };
  const all: Record<string, ToldBy> = { ...known };
  let writing: Promise<void> = Promise.resolve();
  return {
    of: (channel) => all[channel] ?? unknown,
    async set(channel, told) {
      all[channel] = told;
      writing = writing.catch(() => undefined).then(() => writeAtomic(path, `${JSON.stringify(all)}\n`));
      await writing;
    },
  };
}

function parsed(text: string): Readonly<Record<string, ToldBy>> | null {
  try {
    return z.record(z.string(), ToldBy).safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
