import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runStarted, writer } from '../../test/support/given.ts';
import { loopSpec } from '../../test/support/loop-spec.ts';
import { memoryJournal } from '../../test/support/memory-journal.ts';
import { expectTheJournalToTellTheNextDecision } from '../../test/support/next-decision.ts';
import { manyRuns } from '../../test/support/patience.ts';
import { testSettings } from '../../test/support/run-settings.ts';
import { type Script, scriptedWorld, type Turn } from '../../test/support/scripted-world.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState } from '../journal/state/state.ts';
import { run } from '../recipes/run/run.ts';
import { handlerOf } from '../runs/recipes/handlers.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { drive } from './drive.ts';
import { openLedger } from './ledger.ts';

const turns = fc.constantFrom<Turn>('works', 'claims', 'limited', 'empty', 'crashes', 'hopeless');
const scripts: fc.Arbitrary<Script> = fc.record({
  turns: fc.array(turns, { maxLength: 14 }),
  gates: fc.array(fc.boolean(), { maxLength: 10 }),
  changes: fc.array(fc.boolean(), { maxLength: 14 }),
});
const prompts = [
  { name: 'detailed', prompt: 'Look at it.' },
  { name: 'security', prompt: 'Look for holes.' },
];
const settings: fc.Arbitrary<RunSettings> = fc
  .record({
    maximumIterations: fc.integer({ min: 1, max: 5 }),
    lanes: fc.integer({ min: 1, max: 3 }),
    onAgentError: fc.constantFrom('continue' as const, 'stop' as const),
    scm: fc
      .constantFrom<string[] | null>(null, ['commit'], ['commit', 'push'], ['status', 'commit'])
      .map((tasks) => tasks && { command: 'git', tasks, timeoutMs: 0, message: 'agent' as const }),
    loop: fc.option(
      fc
        .record({
          requireTag: fc.constantFrom('always' as const, 'auto' as const, 'never' as const),
          budget: fc.record({ costUsd: fc.constantFrom(null, 0.02, 1), timeMs: fc.constantFrom(0, 30_000, 200_000) }),
          baseline: fc.boolean(),
          flakyRetries: fc.integer({ min: 0, max: 1 }),
          parallelChecks: fc.boolean(),
          protect: fc.constantFrom<string[]>([], ['tests/**']),
          verifyClean: fc.boolean(),
        })
        .map(loopSpec),
    ),
    reviews: fc.option(fc.record({ after: fc.integer({ min: 1, max: 3 }), retryLimit: fc.integer({ min: 0, max: 2 }), prompts: fc.constant(prompts) })),
  })
  .map(({ loop, ...common }) => testSettings({ ...common, ...(loop && { loop }) }));

async function play(script: Script, chosen: RunSettings, past: readonly JournalEvent[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'drive-'));
  try {
    const world = scriptedWorld(script, chosen, folder);
    const journal = memoryJournal(past);
    const ledger = openLedger(journal, world.ports.clock, []);
    await ledger.record(past.length === 0 ? runStarted(chosen) : { type: 'run.resumed', ralph: '0.0.0', writer });
    const outcome = await drive(run, chosen, ledger, { ports: world.ports, watchers: [], handlerOf });
    return { outcome, events: journal.events, state: ledger.state, most: world.most(), git: world.git };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const numbersOpened = (events: readonly JournalEvent[]) => events.flatMap(({ body }) => (body.type === 'iteration.opened' ? [body.iteration] : []));

describe('whatever agents and gates do', () => {
  it('every run ends, and ends well only on a claim with every gate green after it', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, settings, async (script, chosen) => {
        const { outcome, events } = await play(script, chosen);
        expect(events.at(-1)?.body.type).toBe('run.stopped');
        if (outcome.exit_code !== 0) return;
        const good = events.findLast(({ body }) => body.type === 'iteration.closed' && body.accepted)?.body;
        const iteration = good?.type === 'iteration.closed' ? good.iteration : 0;
        const judged = events.findLast(({ body }) => body.type === 'gates.judged' && body.iteration === iteration)?.body;
        expect(judged?.type === 'gates.judged' && judged.results.every((result) => result.green)).toBe(true);
      }),
      manyRuns(150),
    );
  });

  it('every commit holds exactly the tree that all gates had just passed, and its parent is the commit before it', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, settings, async (script, chosen) => {
        const { events, git, state } = await play(script, chosen);
        const judged = new Map<number, { readonly green: boolean; readonly tree: string | null }>();
        for (const { body } of events) {
          if (body.type === 'gates.judged') judged.set(body.iteration, { green: body.results.every((result) => result.green), tree: body.tree });
          if (body.type === 'commit.made') expect(judged.get(body.iteration)).toEqual({ green: true, tree: body.tree });
        }
        expect(git.log.slice(1).every(({ parent }, index) => parent === git.log[index]?.commit)).toBe(true);
        expect(git.log.length - 1).toBe(state.commits.count);
      }),
      manyRuns(150),
    );
  });

  it('no change made after the gates ran is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, settings, async (script, chosen) => {
        const { events, git, outcome } = await play(script, { ...chosen, lanes: 1 });
        if (outcome.exit_code !== 0) return;
        const judged = events.findLast(({ body }) => body.type === 'gates.judged')?.body;
        if (judged?.type !== 'gates.judged' || judged.tree === null) return;
        expect(await git.tree()).toBe(judged.tree);
      }),
      manyRuns(150),
    );
  });

  it('no iteration number is used twice, and no more workers are busy than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, settings, async (script, chosen) => {
        const { events, most } = await play(script, chosen);
        const numbers = numbersOpened(events);
        expect(new Set(numbers).size).toBe(numbers.length);
        expect(numbers.length).toBeLessThanOrEqual(chosen.maximumIterations);
        expect(most).toBeLessThanOrEqual(chosen.lanes);
      }),
      manyRuns(200),
    );
  });

  it('replaying the journal gives the live state and the live decision at every line', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, settings, async (script, chosen) => {
        const { events, state } = await play(script, chosen);
        expect(events.reduce(evolve, emptyState)).toEqual(state);
        expectTheJournalToTellTheNextDecision(run, events, chosen);
      }),
      manyRuns(200),
    );
  });

  it('a restart after any prefix of a journal reaches an allowed end without reusing a number', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, settings, fc.nat(), async (script, chosen, cut) => {
        const whole = await play(script, chosen);
        const prefix = whole.events.slice(0, 1 + (cut % (whole.events.length - 1)));
        const again = await play(script, chosen, prefix);
        expect(again.events.at(-1)?.body.type).toBe('run.stopped');
        const numbers = numbersOpened(again.events);
        expect(new Set(numbers).size).toBe(numbers.length);
        expect(again.state.open).toEqual([]);
        expect(again.state.inFlight).toEqual([]);
      }),
      manyRuns(150),
    );
  });
});
