import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../test/support/given.ts';
import { testSettings } from '../../test/support/run-settings.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import { emptyState } from '../journal/state/state.ts';
import { guardProjection, type Projection } from './contracts.ts';

const [event] = given(runStarted(testSettings())) as readonly [JournalEvent];
const fail = (): never => {
  throw new Error('no ink');
};
const failLater = async () => fail();
/** As untyped code might write it. */
const failLaterUnseen = failLater as () => void;
const quiet: Projection = { onEvent: () => undefined };

/** Shows a projection everything a run can show. */
async function show(projection: Projection): Promise<readonly string[]> {
  const warnings: string[] = [];
  const shown = guardProjection(projection, (text) => warnings.push(text));
  for (let times = 0; times < 2; times += 1) {
    shown.onEvent(event, emptyState);
    shown.onAgentEvent?.('1.1', { type: 'message', text: 'hello' });
    await new Promise(setImmediate);
  }
  await shown.close?.();
  return warnings;
}

describe('a projection', () => {
  it.each<[string, Projection]>([
    ['throws at an event', { onEvent: fail }],
    ['throws at what an agent says', { ...quiet, onAgentEvent: fail }],
    ['rejects', { onEvent: failLaterUnseen }],
    ['cannot be closed', { ...quiet, close: failLater }],
    ['throws when it is closed', { ...quiet, close: fail }],
    ['does all of that', { onEvent: fail, onAgentEvent: fail, close: failLater }],
  ])('that %s causes one warning and does not stop the run', async (_name, projection) => {
    expect(await show(projection)).toEqual(['a view of the run failed and is switched off: no ink']);
  });

  it('that failed is shown nothing more, and is still closed', async () => {
    const asked: string[] = [];
    await show({
      onEvent: () => {
        asked.push('event');
        fail();
      },
      onAgentEvent: () => asked.push('agent'),
      close: async () => void asked.push('close'),
    });
    expect(asked).toEqual(['event', 'close']);
  });

  it('that does not fail is shown everything', async () => {
    const asked: string[] = [];
    const warnings = await show({ onEvent: () => asked.push('event'), onAgentEvent: () => asked.push('agent') });
    expect(asked).toEqual(['event', 'agent', 'event', 'agent']);
    expect(warnings).toEqual([]);
  });
});
