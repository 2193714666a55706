import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runStarted } from '../../test/support/given.ts';
import { loopSpec } from '../../test/support/loop-spec.ts';
import { memoryJournal } from '../../test/support/memory-journal.ts';
import { manyRuns } from '../../test/support/patience.ts';
import { testSettings } from '../../test/support/run-settings.ts';
import { type Script, scriptedWorld, type Turn } from '../../test/support/scripted-world.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { maskEvent } from '../journal/mask-event.ts';
import { emptyState } from '../journal/state/state.ts';
import { run } from '../recipes/run/run.ts';
import { handlerOf } from '../runs/recipes/handlers.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { drive } from './drive.ts';
import { openLedger } from './ledger.ts';

const scripts: fc.Arbitrary<Script> = fc.record({
  turns: fc.array(fc.constantFrom<Turn>('works', 'claims', 'limited', 'empty', 'crashes', 'hopeless'), { maxLength: 10 }),
  gates: fc.array(fc.boolean(), { maxLength: 10 }),
});
const settings: fc.Arbitrary<RunSettings> = fc
  .record({
    maximumIterations: fc.integer({ min: 1, max: 5 }),
    scm: fc.constantFrom<RunSettings['scm']>(null, { command: 'git', tasks: ['commit', 'push'], timeoutMs: 0, message: 'agent' }),
    loop: fc.option(fc.record({ baseline: fc.boolean(), flakyRetries: fc.integer({ min: 0, max: 1 }) }).map(loopSpec)),
  })
  .map(({ loop, ...common }) => testSettings({ ...common, ...(loop && { loop }) }));

/** Replaces every text, as if it were a secret. */
const hideAll = (text: string) => (text === '' ? '' : '[redacted]');

async function play(script: Script, chosen: RunSettings, mask: (body: EventBody) => EventBody) {
  const folder = mkdtempSync(join(tmpdir(), 'masked-'));
  try {
    const world = scriptedWorld(script, chosen, folder);
    const journal = memoryJournal();
    const ledger = openLedger(journal, world.ports.clock, [], mask);
    await ledger.record(runStarted(chosen));
    await drive(run, chosen, ledger, { ports: world.ports, watchers: [], handlerOf });
    return { events: journal.events, state: ledger.state };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a run in which every text is masked', () => {
  it('takes the same decisions, and its journal replays to its state', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, settings, async (script, chosen) => {
        const plain = await play(script, chosen, (body) => body);
        const masked = await play(script, chosen, (body) => maskEvent(hideAll, body));
        const steps = ({ events }: typeof plain) => events.map(({ body }) => ('key' in body ? `${body.type} ${body.key}` : body.type));
        expect(steps(masked)).toEqual(steps(plain));
        expect(masked.events.reduce(evolve, emptyState)).toEqual(masked.state);
      }),
      manyRuns(150),
    );
  });
});
