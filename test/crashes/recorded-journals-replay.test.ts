import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/engine/decide/decide.ts';
import type { Decision } from '../../src/engine/decide/recipe.ts';
import type { EventBody, JournalEvent } from '../../src/journal/events/journal-event.ts';
import { evolve } from '../../src/journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../src/journal/state/state.ts';
import { readJournalFile } from '../../src/store/journal-file.ts';
import { writer } from '../support/given.ts';
import { expectTheJournalToTellTheNextDecision } from '../support/next-decision.ts';
import { canonical, JOURNALS, journalPath, RECIPES, recordedNames } from '../support/recorded-journals.ts';

const short = (value: unknown) => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 8);

const settingsOf = ({ run }: RunState) => {
  if (run === null) throw new Error('The journal does not begin with run.started.');
  return run.settings;
};
const asked = (state: RunState, nowMs: number) => decide(RECIPES[settingsOf(state).recipe], { state, settings: settingsOf(state), nowMs });

/** Short enough to read, and different if anything in it changes. */
function told(decision: Decision): string {
  switch (decision.kind) {
    case 'do':
      return `do ${decision.effect.key} ${short(decision)}`;
    case 'say':
      return `say ${decision.event.type} ${short(decision)}`;
    case 'wait':
      return `wait until ${decision.untilMs}`;
    case 'cancel':
      return `cancel ${decision.key}`;
    case 'stop':
      return `stop ${decision.outcome.stop_reason} ${short(decision)}`;
    default:
      return decision satisfies never;
  }
}

/** The state that a new loop finds if the old one was killed here without recording what it had begun. */
function resumedAfter(state: RunState, { seq, at }: JournalEvent): RunState {
  const bodies: EventBody[] = [{ type: 'run.resumed', ralph: '0.0.0', writer }, ...state.inFlight.map(({ key }): EventBody => ({ type: 'effect.lost', key }))];
  return bodies.reduce((now, body, index) => evolve(now, { v: 1, seq: seq + 1 + index, at, body }), state);
}

/** One paragraph per journal line: the state, the decision, and the decision of a resumed loop if the loop dies there. */
function replay(events: readonly JournalEvent[]): { readonly state: RunState; readonly text: string } {
  let state: RunState = emptyState;
  const paragraphs = events.map((event) => {
    state = evolve(state, event);
    const decisions = state.stopped ? [] : asked(state, event.at);
    const afterwards = state.stopped ? [] : asked(resumedAfter(state, event), event.at);
    if (!state.stopped) expect(afterwards, `line ${event.seq}: who goes on there is silent`).not.toEqual([]);
    return [`${event.seq} ${event.body.type}: ${short(state)}`, ...decisions.map(told), ...afterwards.map((each) => `resumed: ${told(each)}`)].join('\n  ');
  });
  return { state, text: `${paragraphs.join('\n')}\n` };
}

describe('a recorded journal', () => {
  it('exists for every recipe, complete and interrupted', async () => {
    const found = await Promise.all(recordedNames().map(async (name) => await readJournalFile(journalPath(name))));
    const kinds = found.map((events) => {
      const state = events.reduce(evolve, emptyState);
      return `${settingsOf(state).recipe} ${state.stopped ? 'whole' : 'interrupted'}`;
    });
    expect([...new Set(kinds)].sort()).toEqual(
      Object.keys(RECIPES)
        .flatMap((recipe) => [`${recipe} interrupted`, `${recipe} whole`])
        .sort(),
    );
  });

  it.each(recordedNames())('gives the same state and the same decisions at every line: %s', async (name) => {
    const { state, text } = replay(await readJournalFile(journalPath(name)));
    await expect(text).toMatchFileSnapshot(join(JOURNALS, `${name}.decisions.txt`));
    await expect(`${canonical(state, 2)}\n`).toMatchFileSnapshot(join(JOURNALS, `${name}.state.json`));
  });

  /** Red then green, committed, killed twice and resumed, interrupted, waiting for a usage limit. Others contain a receipt, which has the time of its decision in it. */
  it.each(recordedNames().filter((name) => /^(run|loop-)/.test(name)))('is enough to repeat the decisions of the live loop: %s', async (name) => {
    const events = await readJournalFile(journalPath(name));
    const settings = settingsOf(events.reduce(evolve, emptyState));
    expectTheJournalToTellTheNextDecision(RECIPES[settings.recipe], events, settings);
  });

  // Earlier versions wrote null for the settings of the other recipes.
  const withoutOtherGroups = (key: string, value: unknown) => (value === null && ['loop', 'supervise', 'work', 'stories'].includes(key) ? undefined : value);

  it.each(recordedNames())('is written exactly as it was read: %s', async (name) => {
    const events = await readJournalFile(journalPath(name));
    const lines = readFileSync(journalPath(name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const { d: _digest, ...rest } = JSON.parse(line, withoutOtherGroups);
        return rest;
      });
    expect(events.map(({ v, seq, at, body }) => ({ v, seq, at, ...body }))).toEqual(lines);
  });
});
