import type { Effect } from '../journal/effects/effect.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import type { Outcome } from '../journal/words/outcome.ts';
import { openScope } from '../kit/async/scope.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { type HandlerOf, startWatchers, type Watcher } from './contracts.ts';
import { decide } from './decide/decide.ts';
import type { Decision, Recipe } from './decide/recipe.ts';
import type { Ledger } from './ledger.ts';
import type { Ports } from './ports/ports.ts';

/** The one loop. It asks the recipe, journals what it is about to do, does it, journals the result, and asks again. */
export async function drive(recipe: Recipe, settings: RunSettings, ledger: Ledger, { ports, watchers, handlerOf, gone }: DriveContext): Promise<Outcome> {
  const queue = openMessageQueue<LoopMessage>();
  await recoverBegunEffects(ledger, ports, handlerOf);
  await using running = openRunningEffects(ports, queue, handlerOf);
  await using watcherScope = openScope();
  // Watchers go before reports: an agent with much output must not delay a signal.
  const tell = (event: EventBody) => queue.post({ kind: 'event', event }, 'first');
  startWatchers(watchers, watcherScope, tell, () => ledger.state);
  const endAtOnce = () => void queue.post({ kind: 'broken', error: gone?.reason }, 'first');
  if (gone?.aborted) endAtOnce();
  gone?.addEventListener('abort', endAtOnce, { once: true });

  for (;;) {
    // A person may have changed the settings of the run since.
    const now = ledger.state.run?.settings ?? settings;
    const decisions = decide(recipe, { state: ledger.state, settings: now, nowMs: ports.clock.nowMs() });
    const stop = decisions.find((decision) => decision.kind === 'stop');
    if (stop) {
      await ledger.record({ type: 'run.stopped', outcome: stop.outcome });
      return stop.outcome;
    }
    if (await carryOut(decisions, ledger, running)) continue;
    await handleNextMessage(queue, ledger, ports, nextTimerMs(decisions, ledger));
  }
}

export interface DriveContext {
  readonly ports: Ports;
  readonly watchers: readonly Watcher[];
  readonly handlerOf: HandlerOf;
  /** Aborts when this process may write nothing any more. Everything is ended, the journal stays as it is, and the run can be resumed. */
  readonly gone?: AbortSignal | undefined;
}

/** The only recovery: for every effect that was begun and has no fact, look for its fact; without one it may be performed again. */
async function recoverBegunEffects(ledger: Ledger, ports: Ports, handlerOf: HandlerOf): Promise<void> {
  if (ledger.state.inFlight.length === 0) return;
  await ports.processes.reap(ledger.state.spawned);
  for (const effect of ledger.state.inFlight) {
    const { find } = await handlerOf(effect);
    const fact = await find(effect, ports);
    await ledger.record(fact ?? { type: 'effect.lost', key: effect.key });
  }
}

/** Resolves true when an event was journaled that the rules should see before the loop waits. */
async function carryOut(decisions: readonly Decision[], ledger: Ledger, running: RunningEffects): Promise<boolean> {
  let hasNews = false;
  for (const decision of decisions) {
    if (decision.kind === 'cancel') running.cancel(decision.key, decision.cause);
    if (decision.kind === 'do') {
      await ledger.record({ type: 'effect.begun', key: decision.effect.key, effect: decision.effect });
      running.start(decision.effect);
    }
    if (decision.kind === 'say') {
      await ledger.record(decision.event);
      hasNews = true;
    }
  }
  return hasNews;
}

/** Null when no timer is needed: a running effect will wake us. */
function nextTimerMs(decisions: readonly Decision[], { state }: Ledger): number | null {
  const times = decisions.filter((decision) => decision.kind === 'wait').map((decision) => decision.untilMs);
  if (times.length > 0) return Math.min(...times);
  if (state.inFlight.length === 0) throw new Error('No rule of the recipe answers and nothing is in flight.');
  return null;
}

async function handleNextMessage(queue: MessageQueue<LoopMessage>, ledger: Ledger, { clock }: Ports, timerMs: number | null): Promise<void> {
  const wake = new AbortController();
  if (timerMs !== null) void clock.sleepUntil(timerMs, wake.signal).then(() => wake.abort());
  const next = await queue.next(wake.signal);
  wake.abort();
  if (next === null) return;
  if (next.message.kind === 'broken') throw next.message.error;
  await ledger.record(next.message.event);
  next.handled();
}

/** A message to the loop: an event to journal, or an unexpected error. */
export type LoopMessage = { readonly kind: 'event'; readonly event: EventBody } | { readonly kind: 'broken'; readonly error: unknown };

/** The running effects. Disposing cancels them and waits for the last one to end. */
export interface RunningEffects extends AsyncDisposable {
  start(effect: Effect): void;
  cancel(key: string, cause: string): void;
}

function openRunningEffects(ports: Ports, queue: MessageQueue<LoopMessage>, handlerOf: HandlerOf): RunningEffects {
  const running = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  async function performEffect(effect: Effect, signal: AbortSignal): Promise<void> {
    const report = async (event: EventBody) => void (await queue.post({ kind: 'event', event }));
    try {
      const { perform } = await handlerOf(effect);
      const fact = await perform(effect, ports, report, signal);
      running.delete(effect.key);
      await queue.post({ kind: 'event', event: fact });
    } catch (error) {
      running.delete(effect.key);
      await queue.post({ kind: 'broken', error });
    }
  }

  return {
    start(effect) {
      const controller = new AbortController();
      running.set(effect.key, { controller, done: performEffect(effect, controller.signal) });
    },
    cancel(key, cause) {
      running.get(key)?.controller.abort(cause);
    },
    async [Symbol.asyncDispose]() {
      queue.close();
      const all = [...running.values()];
      for (const { controller } of all) controller.abort('the run is over');
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
}

/** The message queue of the loop: facts, reports and watchers' events. One reader, any number of writers; messages of the same priority keep their order. */
export interface MessageQueue<T> {
  /** Messages posted as `first` are read before all others. Resolves true once the reader has handled the message, false if the queue was closed before. */
  post(letter: T, line?: 'first' | 'last'): Promise<boolean>;
  /** The next message, or null if the signal aborts first. */
  next(signal: AbortSignal): Promise<Delivery<T> | null>;
  /** Resolves all waiting writers with false; later messages are dropped. */
  close(): void;
}

export interface Delivery<T> {
  readonly message: T;
  readonly handled: () => void;
}

interface Waiting<T> {
  readonly letter: T;
  readonly settle: (read: boolean) => void;
}

export function openMessageQueue<T>(): MessageQueue<T> {
  const lines = { first: [] as Waiting<T>[], last: [] as Waiting<T>[] };
  let wake: (() => void) | null = null;
  let closed = false;
  return {
    post(letter, line = 'last') {
      if (closed) return Promise.resolve(false);
      return new Promise((settle) => {
        lines[line].push({ letter, settle });
        wake?.();
      });
    },
    async next(signal) {
      for (;;) {
        const waiting = lines.first.shift() ?? lines.last.shift();
        if (waiting) return { message: waiting.letter, handled: () => waiting.settle(true) };
        if (signal.aborted || closed) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        wake = null;
      }
    },
    close() {
      closed = true;
      for (const { settle } of [...lines.first.splice(0), ...lines.last.splice(0)]) settle(false);
      wake?.();
    },
  };
}
