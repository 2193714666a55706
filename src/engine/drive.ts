import { decide } from './decide/decide.ts';
import type { Decision } from './decide/decision.ts';
import type { Recipe } from './decide/recipe.ts';
import { openScope } from '../kit/async/scope.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import type { Outcome } from '../journal/words/outcome.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { type Crew, type Letter, openCrew } from './crew.ts';
import { handlerOf } from '../runs/handlers.ts';
import type { Ledger } from './ledger.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import type { Ports } from './ports/ports.ts';
import { startWatchers, type Watcher } from './watcher.ts';

/** The one loop. It asks the recipe, writes down what it is about to do, has it done, writes down what came of it, and asks again. */
export async function drive(recipe: Recipe, settings: RunSettings, ledger: Ledger, { ports, watchers }: Surroundings): Promise<Outcome> {
  const mail = openMailbox<Letter>();
  await findWhatWasBegun(ledger, ports);
  await using crew = openCrew(ports, mail);
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
}

/** There is no other recovery: what was begun and has no fact is found, or begun again. */
async function findWhatWasBegun(ledger: Ledger, ports: Ports): Promise<void> {
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
