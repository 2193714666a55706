import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdRun, makeRun } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { readRunSummary } from '../../store/runs/run-summary.ts';
import { runWithStatus } from './find-run.ts';
import { type TailListener, tailRun } from './tail-run.ts';

const agent = (kind: string): Partial<RunSettings> => ({ agent: { kind, command: kind, flags: [], model: null, autonomy: 'full' } });

async function speak(runFolder: string, attempt: string, text: string): Promise<void> {
  const folder = join(runFolder, 'iterations', attempt);
  await mkdir(folder, { recursive: true });
  await appendFile(join(folder, 'agent.jsonl'), text);
}

interface Recorder extends TailListener {
  readonly heard: string[];
}

function recorder(): Recorder {
  const heard: string[] = [];
  return {
    heard,
    onAttempt: ({ attempt, role }) => void heard.push(`attempt ${attempt} ${role}`),
    onLine: () => undefined,
    onEvent: (event) => void heard.push(event.type === 'message' ? event.text : event.type),
    onCaughtUp: () => void heard.push('caught up'),
  };
}

async function tail(runsFolder: string, listener: TailListener, follow = false, signal = new AbortController().signal): Promise<boolean> {
  const sight = await readRunSummary(runsFolder, 'run');
  if (sight === null) throw new Error('There is no run.');
  return await tailRun(runWithStatus(sight), listener, { follow, signal });
}

describe('the tail of a run', () => {
  it('is the output of its newest agent, even if the last line is incomplete', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, 'run', { settings: agent('command') });
    await speak(run, '009/1-work', 'old\n');
    await speak(run, '010/1-work', 'older\n');
    await speak(run, '010/2-work', 'one\ntwo\nthr');
    const listener = recorder();
    await tail(folder.path, listener);
    expect(listener.heard).toEqual(['attempt 10.2 work', 'one', 'two', 'caught up', 'thr']);
  });

  it('is parsed when the agent prints events, and plain when it was asked for text', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, 'run', { settings: agent('claude') });
    await speak(run, '001/1-work', `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'Hello.' }] } })}\n`);
    const listener = recorder();
    await tail(folder.path, listener);
    await speak(run, '001/2-message', 'fix: it\n');
    await tail(folder.path, listener);
    expect(listener.heard).toEqual(['attempt 1.1 work', 'Hello.', 'caught up', 'attempt 1.2 message', 'fix: it', 'caught up']);
  });

  it('is empty for a run without an agent, or when the output file is a trap', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, 'run', { settings: agent('command') });
    const none = await tail(folder.path, recorder());
    await mkdir(join(run, 'iterations', '001', '1-work', 'agent.jsonl'), { recursive: true });
    const listener = recorder();
    const trapped = await tail(folder.path, listener);
    expect([none, trapped, listener.heard]).toEqual([false, true, ['attempt 1.1 work', 'caught up']]);
  });

  it('of a long output is its end, from the beginning of a line', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, 'run', { settings: agent('command') });
    await speak(run, '001/1-work', `${'x'.repeat(1023)}\n`.repeat(9 * 1024));
    await speak(run, '001/1-work', 'the end\n');
    const listener = recorder();
    await tail(folder.path, listener);
    const lines = listener.heard.slice(1, -1);
    expect(lines.length).toBeLessThanOrEqual(8 * 1024);
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([1023, 7]));
  });
});

describe('following a run', () => {
  it('prints from one agent to the next, until the run ends', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, 'run', { settings: agent('command') });
    const letGo = await holdRun(folder.path, 'run');
    const listener = recorder();
    const has = (text: string) => until(`"${text}" is heard`, () => listener.heard.includes(text));
    const following = tail(folder.path, listener, true);
    await has('caught up');
    await speak(run, '001/1-work', 'one\ntw');
    await has('one');
    await speak(run, '001/1-work', 'o\n');
    await has('two');
    await speak(run, '002/1-work', 'three\n');
    await speak(run, '003/1-work', 'four\n');
    await has('four');
    await speak(run, '003/1-work', 'last words');
    await letGo();

    expect(await following).toBe(true);
    expect(listener.heard).toEqual(['caught up', 'attempt 1.1 work', 'one', 'two', 'attempt 2.1 work', 'three', 'attempt 3.1 work', 'four', 'last words']);
  });

  it('can be interrupted', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, 'run');
    await writeFile(join(folder.path, 'x'), '');
    const leaving = new AbortController();
    const listener = recorder();
    const following = tail(folder.path, listener, true, leaving.signal);
    await until('it has caught up', () => listener.heard.includes('caught up'));
    leaving.abort();
    expect(await following).toBe(false);
  });
});
