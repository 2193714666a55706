import { decide } from '../../src/engine/decide/decide.ts';
import type { Decision, Recipe } from '../../src/engine/decide/recipe.ts';
import type { EventBody, JournalEvent } from '../../src/journal/events/journal-event.ts';
import type { RunState } from '../../src/journal/state/state.ts';
import type { Outcome } from '../../src/journal/words/outcome.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';

/** A fake world: it records events and simulates effects. */
interface Play {
  readonly events: readonly JournalEvent[];
  record(body: EventBody): void;
  nowMs(): number;
  now(): { readonly state: RunState };
  obey(decisions: readonly Decision[]): void;
}

const MOST_TURNS = 5_000;

/** Plays a recipe until it stops; null: it was killed once its journal had so many lines. */
export function playOut(recipe: Recipe, settings: RunSettings, play: Play, killedAt: number): Outcome | null {
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    if (play.events.length >= killedAt) return null;
    const decisions = decide(recipe, { state: play.now().state, settings, nowMs: play.nowMs() });
    const stop = decisions.find((decision) => decision.kind === 'stop');
    if (!stop) play.obey(decisions);
    else {
      play.record({ type: 'run.stopped', outcome: stop.outcome });
      return stop.outcome;
    }
  }
  throw new Error('It does not come to an end.');
}
