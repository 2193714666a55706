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

/** The one loop. It asks the recipe, writes down what it is about to do, has it done, writes down what came of it, and asks again. */
export async function drive(recipe: Recipe, settings: RunSettings, ledger: Ledger, { ports, watchers, handlerOf }: Surroundings): Promise<Outcome> {
  const mail = openMailbox<Letter>();
  await findWhatWasBegun(ledger, ports, handlerOf);
  await using crew = openCrew(ports, mail, handlerOf);
  await using watching = openScope();
  // Ahead of all reports: a chatty agent must not keep a signal waiting.
  const tell = (event: EventBody) => mail.post({ kind: 'event', event }, 'first');
  startWatchers(watchers, watching, tell, () => ledger.state);

  for (;;) {
    const decisions = decide(recipe, { state: ledger.state, settings, nowMs: ports.clock.nowMs() });
    const stop = decisions.find((decision) => decision.kind === 'stop');
    if (stop) {
      await ledger.record({ type: 'run.stopped', outcome: stop.outcome });
      return stop.outcome;
    }
    if (await obey(decisions, ledger, crew)) continue;
    await readMail(mail, ledger, ports, alarmIn(decisions, ledger));
  }
}

export interface Surroundings {
  readonly ports: Ports;
  readonly watchers: readonly Watcher[];
  /** Who carries an effect out. */
  readonly handlerOf: HandlerOf;
}

/** There is no other recovery: what was begun and has no fact is found, or begun again. */
async function findWhatWasBegun(ledger: Ledger, ports: Ports, handlerOf: HandlerOf): Promise<void> {
  if (ledger.state.inFlight.length === 0) return;
  await ports.processes.reap(ledger.state.spawned);
  for (const effect of ledger.state.inFlight) {
    const { find } = await handlerOf(effect);
    const fact = await find(effect, ports);
    await ledger.record(fact ?? { type: 'effect.lost', key: effect.key });
  }
}

/** True when something was written that the rules should see before we wait. */
async function obey(decisions: readonly Decision[], ledger: Ledger, crew: Crew): Promise<boolean> {
  let said = false;
  for (const decision of decisions) {
    if (decision.kind === 'cancel') crew.cancel(decision.key, decision.cause);
    if (decision.kind === 'do') {
      await ledger.record({ type: 'effect.begun', key: decision.effect.key, effect: decision.effect });
      crew.start(decision.effect);
    }
    if (decision.kind === 'say') {
      await ledger.record(decision.event);
      said = true;
    }
  }
  return said;
}

/** Null: there is no alarm to set, only something in flight to wait for. */
function alarmIn(decisions: readonly Decision[], { state }: Ledger): number | null {
  const alarms = decisions.filter((decision) => decision.kind === 'wait').map((decision) => decision.untilMs);
  if (alarms.length > 0) return Math.min(...alarms);
  if (state.inFlight.length === 0) throw new Error('The recipe is silent while nothing is in flight.');
  return null;
}

async function readMail(mail: Mailbox<Letter>, ledger: Ledger, { clock }: Ports, alarmMs: number | null): Promise<void> {
  const wake = new AbortController();
  if (alarmMs !== null) void clock.sleepUntil(alarmMs, wake.signal).then(() => wake.abort());
  const delivery = await mail.next(wake.signal);
  wake.abort();
  if (delivery === null) return;
  if (delivery.letter.kind === 'broken') throw delivery.letter.error;
  await ledger.record(delivery.letter.event);
  delivery.dealtWith();
}

/** News for the loop: an event to write down, or an error that is nobody's expected ending. */
export type Letter = { readonly kind: 'event'; readonly event: EventBody } | { readonly kind: 'broken'; readonly error: unknown };

/** The effects at work. The block that opened it is not left before the last of them has ended. */
export interface Crew extends AsyncDisposable {
  start(effect: Effect): void;
  cancel(key: string, cause: string): void;
}

function openCrew(ports: Ports, mail: Mailbox<Letter>, handlerOf: HandlerOf): Crew {
  const atWork = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  async function work(effect: Effect, signal: AbortSignal): Promise<void> {
    const report = async (event: EventBody) => void (await mail.post({ kind: 'event', event }));
    try {
      const { perform } = await handlerOf(effect);
      const fact = await perform(effect, ports, report, signal);
      atWork.delete(effect.key);
      await mail.post({ kind: 'event', event: fact });
    } catch (error) {
      atWork.delete(effect.key);
      await mail.post({ kind: 'broken', error });
    }
  }

  return {
    start(effect) {
      const controller = new AbortController();
      atWork.set(effect.key, { controller, done: work(effect, controller.signal) });
    },
    cancel(key, cause) {
      atWork.get(key)?.controller.abort(cause);
    },
    async [Symbol.asyncDispose]() {
      mail.close();
      const all = [...atWork.values()];
      for (const { controller } of all) controller.abort('the run is over');
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
}

/** What reaches the loop from outside: facts, reports, watchers' news. One reader; any number of writers; each line keeps its order. */
export interface Mailbox<T> {
  /** A letter to go first is read before all that wait at the end of the line. True once the reader has dealt with it, false if the box was closed before. */
  post(letter: T, line?: 'first' | 'last'): Promise<boolean>;
  /** The next letter, or null when the signal aborts first. */
  next(signal: AbortSignal): Promise<Delivery<T> | null>;
  /** Lets every waiting writer go; later letters are dropped. */
  close(): void;
}

export interface Delivery<T> {
  readonly letter: T;
  readonly dealtWith: () => void;
}

interface Waiting<T> {
  readonly letter: T;
  readonly settle: (read: boolean) => void;
}

export function openMailbox<T>(): Mailbox<T> {
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
        if (waiting) return { letter: waiting.letter, dealtWith: () => waiting.settle(true) };
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
