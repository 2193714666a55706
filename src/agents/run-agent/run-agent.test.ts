import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testSettings } from '../../../test/support/run-settings.ts';
import { scriptedWorld } from '../../../test/support/scripted-world.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { AgentPort } from '../../engine/ports/agent.ts';
import type { RunAgent } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { promptOf } from '../../runs/recipes/prompt-of.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { runAgent } from './run-agent.ts';

const effect: RunAgent = {
  kind: 'run-agent',
  key: 'agent:1.1',
  iteration: 1,
  attempt: 1,
  role: 'work',
  prompt: null,
  about: '',
  failures: [],
  maximum: 10,
  context: null,
  previous_life: null,
  until: null,
  budget_usd: null,
};

interface Left {
  readonly prompt: boolean;
  /** Null: there is no spool. */
  readonly spool: readonly AgentEvent[] | null;
}

/** What is found in an attempt's folder that a dead loop left like this. */
async function find({ prompt, spool }: Left) {
  await using folder = await openThrowAwayFolder();
  const { ports } = scriptedWorld({ turns: [], gates: [] }, testSettings(), folder.path);
  const attempt = join(folder.path, 'iterations', '001', '1-work');
  await mkdir(attempt, { recursive: true });
  if (prompt) await writeFile(join(attempt, 'prompt.md'), 'Do the work.');
  const replay: AgentPort['replay'] = async (_request, onEvent) => {
    for (const event of spool ?? []) onEvent(event);
    return spool && 'replayed';
  };
  return await runAgent(promptOf).find(effect, { ...ports, agent: { ...ports.agent, replay } });
}

const said: AgentEvent = { type: 'message', text: '<response>DONE</response>' };
const spent: AgentEvent = { type: 'usage', input: 10, cacheRead: 0, cacheWrite: 0, output: 5, costUsd: 0.25 };
const ended: AgentEvent = { type: 'turn.finished', ok: true, text: '<response>DONE</response>', reason: 'completed' };

describe('after a crash during an attempt', () => {
  it('nothing is found when its prompt was never written', async () => {
    expect(await find({ prompt: false, spool: null })).toBeNull();
  });

  it('nothing is found when it never started', async () => {
    expect(await find({ prompt: true, spool: null })).toBeNull();
  });

  it('the fact of a finished attempt is found, with its claim and its cost', async () => {
    expect(await find({ prompt: true, spool: [said, spent, ended] })).toMatchObject({
      key: 'agent:1.1',
      verdict: 'ok',
      ending: { kind: 'lost' },
      claim: { by: 'response', text: 'DONE' },
      spent: { cost_usd: 0.25 },
    });
  });

  it('a cut-off attempt is found as one to retry, with its cost', async () => {
    expect(await find({ prompt: true, spool: [said, spent] })).toMatchObject({ verdict: 'lost', claim: null, spent: { cost_usd: 0.25 } });
  });
});

interface Doing {
  readonly prompt?: RunSettings['prompt'];
  readonly events?: readonly AgentEvent[];
}

/** Performs one attempt in that run folder; the agent prints these events and exits. */
async function perform(runFolder: string, { prompt = { from: 'text', text: 'Do the work.' }, events = [] }: Doing = {}) {
  const { ports, prompts } = scriptedWorld({ turns: ['works'], gates: [] }, testSettings({ prompt }), runFolder);
  const run: AgentPort['run'] = async (request, listener, signal) => {
    for (const event of events) listener.onEvent(event);
    return await ports.agent.run(request, listener, signal);
  };
  const reported: EventBody[] = [];
  const report = async (event: EventBody) => void reported.push(event);
  const fact = await runAgent(promptOf).perform(effect, { ...ports, agent: { ...ports.agent, run } }, report, new AbortController().signal);
  return { fact, prompts, limits: reported.filter(({ type }) => type === 'limit.seen') };
}

describe('an attempt whose prompt file', () => {
  it.each([
    ['is gone', () => undefined, 'ENOENT'],
    ['is empty', (path: string) => writeFile(path, ''), 'it is empty'],
    ['became a pipe', (path: string) => execFileSync('mkfifo', [path]), 'it is not a regular file'],
    ['became a directory', (path: string) => mkdir(path), 'it is a directory'],
  ])('%s is not made, and says why', async (_name, put, reason) => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'prompt.md');
    await put(path);
    const { fact, prompts } = await perform(folder.path, { prompt: { from: 'file', path } });
    expect(fact).toMatchObject({
      verdict: 'fatal',
      exit_code_if_fatal: 2,
      why: expect.stringContaining(`the prompt file cannot be read: ${path}: ${reason}.`),
    });
    expect(prompts).toEqual([]);
  });
});

describe('an attempt whose folder', () => {
  it.each([
    ['has a file on its way', (path: string) => writeFile(path, '')],
    ['would be made through a link', (path: string) => symlink('..', path)],
  ])('%s fails, and says why', async (_name, put) => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, 'iterations'));
    await put(join(folder.path, 'iterations', '001'));
    const { fact, prompts } = await perform(folder.path);
    expect(fact).toMatchObject({ verdict: 'failed', why: expect.stringMatching(/^the attempt's folder cannot be made: EEXIST.*iterations.001/) });
    expect(prompts).toEqual([]);
  });

  it('lay in a removed run fails, and does not recreate it', async () => {
    await using folder = await openThrowAwayFolder();
    const runFolder = join(folder.path, 'run');
    await mkdir(runFolder);
    await rm(runFolder, { recursive: true });
    expect((await perform(runFolder)).fact).toMatchObject({ verdict: 'failed', why: expect.stringContaining('ENOENT') });
    expect(existsSync(runFolder)).toBe(false);
  });
});

describe('a usage limit', () => {
  const limit = (resetsAtMs: number): AgentEvent => ({ type: 'rate_limit', status: 'rejected', resetsAtMs, window: 'five_hour' });

  it('is reported once, however often the agent repeats it, and again when it changes', async () => {
    await using folder = await openThrowAwayFolder();
    const { limits } = await perform(folder.path, { events: [...Array.from({ length: 1_000 }, () => limit(1)), limit(2), limit(2)] });
    expect(limits).toMatchObject([{ resets_at: 1 }, { resets_at: 2 }]);
  });

  it('that changes without end is reported ten times', async () => {
    await using folder = await openThrowAwayFolder();
    const flood = Array.from({ length: 1_000 }, (_, index) => limit(index));
    const { limits } = await perform(folder.path, { events: flood });
    expect(limits).toHaveLength(10);
  });
});
