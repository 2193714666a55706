import { expect } from 'vitest';
import { decide } from '../../src/engine/decide/decide.ts';
import type { Decision, Recipe } from '../../src/engine/decide/recipe.ts';
import type { EventBody, JournalEvent } from '../../src/journal/events/journal-event.ts';
import { evolve } from '../../src/journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../src/journal/state/state.ts';
import type { RunSettings } from '../../src/settings/schema/run-settings.ts';

/** Written because the rules asked for it; everything else is news from outside. */
const DECIDED: ReadonlySet<EventBody['type']> = new Set(['effect.begun', 'iteration.opened', 'iteration.closed', 'run.stopped']);

/**
 * Replays a journal alone. At every line the rules, asked about the state before it, must give what the live loop did: ask for just this line
 * if it is a decision, and have had nothing to ask for if it is news that the loop had been waiting for.
 */
export function expectTheJournalToTellTheNextDecision(recipe: Recipe, events: readonly JournalEvent[], settings: RunSettings): void {
  let state: RunState = emptyState;
  let lastMs = 0;
  for (const event of events) {
    const { body, seq, at } = event;
    const asked = (nowMs: number) => decide(recipe, { state, settings, nowMs }).flatMap(writtenAs);
    if (isDecided(body, state)) expect(asked(at), `line ${seq}`).toContainEqual(body);
    else if (body.type !== 'run.started' && body.type !== 'run.resumed') expect(asked(lastMs), `before line ${seq}`).toEqual([]);
    state = evolve(state, event);
    lastMs = at;
  }
}

/** A commit may be refused by the rules themselves, before any effect has begun. */
function isDecided(body: EventBody, { inFlight }: RunState): boolean {
  return DECIDED.has(body.type) || (body.type === 'commit.refused' && !inFlight.some(({ key }) => key === body.key));
}

/** A wait and a cancel leave no line. */
function writtenAs(decision: Decision): EventBody[] {
  switch (decision.kind) {
    case 'do':
      return [{ type: 'effect.begun', key: decision.effect.key, effect: decision.effect }];
    case 'say':
      return [decision.event];
    case 'stop':
      return [{ type: 'run.stopped', outcome: decision.outcome }];
    case 'wait':
    case 'cancel':
      return [];
    default:
      return decision satisfies never;
  }
}
