import { setTimeout as sleep } from 'node:timers/promises';
import type { Projection } from '../../engine/contracts.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { messageOf, type Notice, noticesOf } from '../notices/notices.ts';
import { type ChannelQueue, openChannelQueue, type Told } from './channel-queue.ts';
import { BACKOFF_MS, deliver } from './deliver.ts';
import type { ReadyChannel } from './secrets.ts';

export interface NotifierOptions {
  readonly channels: readonly ReadyChannel[];
  readonly intervalMs: number;
  readonly told: Told;
  /** The journal of the earlier sittings. */
  readonly past: readonly JournalEvent[];
  /** The name of the folder that the run works in. */
  readonly project: string;
  readonly cwd: string;
  /** The operator's own environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly hide: (text: string) => string;
  readonly warn: (text: string) => void;
  readonly nowMs: () => number;
}

/** A stop often comes right after the failure that caused it: they become one message. */
const SETTLE_MS = 2_000;
/** How long the end of a run waits for its messages. */
const LAST_WAIT_MS = 3_000;

/** Tells people what happens in a run. It never holds the run up; the end of the run waits three seconds at most. */
export function openNotifier(options: NotifierOptions): Projection {
  const { channels, past, told } = options;
  const ending = new AbortController();
  let before = past.reduce(evolve, emptyState);
  const queues = channels.map((channel) => ({ channel, queue: openQueue(channel, options, () => before, ending.signal) }));
  const old = past.length === 0 ? [] : noticesIn(past);
  const tell = (notices: readonly Notice[]) => {
    for (const { channel, queue } of queues) {
      const wanted = notices.filter(({ seq, events }) => seq > told.of(channel.name).seq && events.some((event) => channel.events.includes(event)));
      if (wanted.length > 0) queue.add(wanted);
    }
  };
  const flush = () => Promise.all(queues.map(({ queue }) => queue.flush()));
  return {
    onEvent(event, state) {
      const notices = noticesOf(event, before, state);
      before = state;
      if (event.body.type === 'run.resumed') tell(old);
      tell(notices);
      if (event.body.type === 'run.stopped') void flush();
    },
    async close() {
      const timer = new AbortController();
      const flushed = flush().finally(() => timer.abort());
      await Promise.race([flushed, sleep(LAST_WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined)]);
      ending.abort();
      await flushed;
    },
  };
}

/** What an earlier sitting may not have told. An earlier end is no news: the run goes on. */
function noticesIn(past: readonly JournalEvent[]): readonly Notice[] {
  let before: RunState = emptyState;
  return past
    .flatMap((event) => {
      const state = evolve(before, event);
      const notices = noticesOf(event, before, state);
      before = state;
      return notices;
    })
    .filter(({ outcome }) => outcome === undefined);
}

function openQueue({ name, channel, options }: ReadyChannel, notifier: NotifierOptions, state: () => RunState, signal: AbortSignal): ChannelQueue {
  const { cwd, env, hide, warn, nowMs, told, intervalMs, project } = notifier;
  let hasWarned = false;
  const run = () => state().run;
  return openChannelQueue({
    intervalMs,
    settleMs: SETTLE_MS,
    nowMs,
    told: { get: () => told.of(name), set: (now) => told.set(name, now) },
    compose: (notices) => messageOf(notices, { run: run()?.id ?? '', recipe: run()?.settings.recipe ?? '', project, hide }),
    async send(message) {
      const marker = `${run()?.id}~${run()?.sitting}/notify-${name}`;
      return await deliver(channel.deliver(message, options, process.platform), message.id, { cwd, env, marker, backoffMs: BACKOFF_MS }, signal);
    },
    onFailure(why) {
      // Once is enough: it is likely to go on.
      if (!hasWarned) warn(hide(`${name} was not told: ${why}`));
      hasWarned = true;
    },
  });
}
