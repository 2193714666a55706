import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import { emptyState } from '../../core/state.ts';
import type { EventBody } from '../../model/events/journal-event.ts';
import { watchInbox } from './inbox-folder.ts';

describe('the inbox of a run', () => {
  it('passes on what operators ask for, in order, and takes the messages away', async () => {
    await using folder = await openThrowAwayFolder();
    const inbox = join(folder.path, 'inbox');
    await mkdir(inbox);
    await writeFile(join(inbox, '1.json'), JSON.stringify({ ask: 'drain', by: 'ann' }));
    await writeFile(join(inbox, '2.json'), '{"ask": "everything"');
    await writeFile(join(inbox, '3.json'), JSON.stringify({ ask: 'abort', by: 'ben' }));
    const told: EventBody[] = [];
    await using _watching = watchInbox(inbox)(
      (event) => told.push(event),
      () => emptyState,
    );

    await until('all messages are read', async () => (await readdir(inbox)).length === 0);
    expect(told).toEqual([
      { type: 'operator.asked', what: 'drain', by: 'ann' },
      { type: 'operator.asked', what: 'abort', by: 'ben' },
    ]);
  });

  it('lives with an inbox that an agent has removed', async () => {
    await using folder = await openThrowAwayFolder();
    const told: EventBody[] = [];
    const watching = watchInbox(join(folder.path, 'gone'))(
      (event) => told.push(event),
      () => emptyState,
    );
    await watching[Symbol.asyncDispose]();
    expect(told).toEqual([]);
  });
});
