import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendEvent, faraway, forgeLock, gone, holdRun, makeRun, stopped, us } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import { emptyState } from '../../journal/state/state.ts';
import { type RunSummary, readRunSummary } from '../../store/runs/run-summary.ts';
import { watchInbox } from '../inbox.ts';
import { type OperatorRequest, sendRequest } from './send-request.ts';

const RUN = 'ask-test';
const LONG_MS = 20_000;

async function openRun() {
  const folder = await openThrowAwayFolder();
  const runFolder = await makeRun(folder.path, RUN);
  await holdRun(folder.path, RUN);
  let seq = 1;
  return {
    runsFolder: folder.path,
    runFolder,
    inbox: join(runFolder, 'inbox'),
    brief: () => briefIn(folder.path),
    /** Like the loop of the run: every message goes into the journal first. */
    listens: () =>
      watchInbox(join(runFolder, 'inbox'))(
        async (event) => {
          seq += 1;
          await appendEvent(runFolder, seq, event);
          return true;
        },
        () => emptyState,
      ),
    says: async (body: object) => {
      seq += 1;
      await appendEvent(runFolder, seq, body);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function briefIn(runsFolder: string): Promise<RunSummary> {
  const sight = await readRunSummary(runsFolder, RUN);
  if (sight?.kind !== 'run') throw new Error('There is no run.');
  return sight;
}

describe('a request to a run', () => {
  it.each<[OperatorRequest, string]>([
    ['pause', 'ralph runs pause'],
    ['drain', 'ralph runs drain'],
    ['go-on', 'ralph runs resume'],
  ])('%s" counts as received when it is in the journal', async (ask, by) => {
    await using run = await openRun();
    await using _loop = run.listens();

    expect(await sendRequest(await run.brief(), ask, LONG_MS)).toBe('heard');
    expect(await readFile(join(run.runFolder, 'journal.jsonl'), 'utf8')).toContain(`{"type":"operator.asked","what":"${ask}","by":"${by}"}`.slice(1));
    expect(await readdir(run.inbox)).toEqual([]);
  });

  it('is received in the order the requests were made', async () => {
    await using run = await openRun();
    await using _loop = run.listens();
    const brief = await run.brief();
    for (const ask of ['pause', 'pause', 'go-on', 'pause', 'drain'] as const) expect(await sendRequest(brief, ask, LONG_MS)).toBe('heard');
    const journal = await readFile(join(run.runFolder, 'journal.jsonl'), 'utf8');
    expect([...journal.matchAll(/"what":"([^"]+)"/g)].map(([, what]) => what)).toEqual(['pause', 'pause', 'go-on', 'pause', 'drain']);
  });

  it('stays in the inbox when the run is too busy to look', async () => {
    await using run = await openRun();
    expect(await sendRequest(await run.brief(), 'pause', 200)).toBe('unheard');
    expect(await readdir(run.inbox)).toHaveLength(1);
  });

  it('is removed when the run ends before it looks, so that a resume does not find it', async () => {
    await using run = await openRun();
    const brief = await run.brief();
    const asking = sendRequest(brief, 'drain', LONG_MS);
    await until('the message lies there', async () => (await readdir(run.inbox).catch(() => [])).some((name) => name.endsWith('.json')));
    await run.says(stopped('max_iterations'));

    expect(await asking).toBe('over');
    expect(await readdir(run.inbox)).toEqual([]);
  });

  it('fails when the run is killed before it looks', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, RUN, { writer: us() });
    await forgeLock(folder.path, RUN, us());
    const brief = await briefIn(folder.path);
    const asking = sendRequest(brief, 'pause', LONG_MS);
    await forgeLock(folder.path, RUN, gone());

    expect(await asking).toBe('over');
  });

  it('to an older ralph that removes it unread counts as not received', async () => {
    await using run = await openRun();
    await using _old = watchInbox(run.inbox)(
      async () => true,
      () => emptyState,
    );
    expect(await sendRequest(await run.brief(), 'pause', LONG_MS)).toBe('refused');
  });

  it('can reach a run on another machine, because the folder is shared', async () => {
    await using folder = await openThrowAwayFolder();
    const runFolder = await makeRun(folder.path, RUN, { writer: faraway });
    await forgeLock(folder.path, RUN, faraway);
    await using _loop = watchInbox(join(runFolder, 'inbox'))(
      async (event) => {
        await appendEvent(runFolder, 2, event);
        return true;
      },
      () => emptyState,
    );
    expect(await sendRequest(await briefIn(folder.path), 'drain', LONG_MS)).toBe('heard');
  });

  it('fails with one line when the inbox cannot be written', async () => {
    await using run = await openRun();
    await writeFile(run.inbox, 'a file in its place');
    await expect(sendRequest(await run.brief(), 'pause', LONG_MS)).rejects.toMatchObject({
      code: 'inbox-not-writable',
      message: expect.stringMatching(/^cannot leave a message for run ask-test: \w+: [^,]*$/),
      exitCode: 4,
    });
  });
});
