import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdingStage } from '../../../test/support/holding-stage.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { scriptedWorld } from '../../../test/support/scripted-world.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
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
  readonly agent?: RunSettings['agent'];
  readonly role?: RunAgent['role'];
}

/** What is found in an attempt's folder that a dead loop left like this. */
async function find({ prompt, spool, agent = testSettings().agent, role = 'work' }: Left) {
  await using folder = await openThrowAwayFolder();
  const { ports } = scriptedWorld({ turns: [], gates: [] }, testSettings({ agent }), folder.path);
  const attempt = join(folder.path, 'iterations', '001', `1-${role}`);
  await mkdir(attempt, { recursive: true });
  if (prompt) await writeFile(join(attempt, 'prompt.md'), 'Do the work.');
  if (prompt) await utimes(join(attempt, 'prompt.md'), 1_000, 1_000);
  if (spool) await writeFile(join(attempt, 'agent.jsonl'), '');
  if (spool) await utimes(join(attempt, 'agent.jsonl'), 1_060, 1_060);
  const replay: AgentPort['replay'] = async (_request, onEvent) => {
    for (const event of spool ?? []) onEvent(event);
    return spool && 'replayed';
  };
  return await runAgent(promptOf).find({ ...effect, role }, { ...ports, agent: { ...ports.agent, replay } });
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

  it('a cut-off attempt is found as one to retry, with its cost and the time it worked', async () => {
    expect(await find({ prompt: true, spool: [said, spent] })).toMatchObject({ verdict: 'lost', claim: null, spent: { cost_usd: 0.25 }, duration_ms: 60_000 });
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

describe('a plain command that works on a task and prints nothing', () => {
  /** The names of the files in its worktree: before it, and after it. */
  async function silent(exit: number, ...names: readonly (string | null)[]) {
    await using folder = await openThrowAwayFolder();
    const { ports } = scriptedWorld({ turns: [], gates: [] }, workSettings(), folder.path);
    const left = [...names];
    const branches = { ...holdingStage().crew.branches, filesOf: async () => left.shift() ?? null };
    const run: AgentPort['run'] = async () => ({ kind: 'exited', code: exit });
    const agent: AgentPort = { ...ports.agent, run, outputFormat: () => 'lines' };
    const work = { ...holdingStage().crew, branches };
    const task = { ...effect, cwd: '/worktrees/T.1', work: { task: planTask('T'), n: 1, feedback: '', goes_on: false, prompt: 'Do it.' } };
    return await runAgent(promptOf).perform(task, { ...ports, agent, work }, async () => undefined, new AbortController().signal);
  }

  it.each([
    ['has worked if its worktree has changed', 0, ['a', 'b'], { verdict: 'ok' }],
    ['is empty if its worktree has not changed', 0, ['a', 'a'], { verdict: 'empty' }],
    ['is empty if git cannot tell', 0, [null], { verdict: 'empty' }],
    ['has failed at once if its worktree has not changed', 7, ['a', 'a'], { verdict: 'failed', at_once: true }],
  ] as const)('%s', async (_name, exit, names, fact) => {
    expect(await silent(exit, ...names)).toMatchObject(fact);
  });

  it('has not failed at once if its worktree has changed', async () => {
    expect(await silent(7, 'a', 'b')).not.toHaveProperty('at_once');
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

describe('the cost of an attempt that did not tell it', () => {
  const claude: RunSettings['agent'] = { ...testSettings().agent, kind: 'claude', model: 'claude-opus-4-8' };
  const spentBy = async ({ spool = [], ...by }: Partial<Left>) => {
    const found = await find({ prompt: true, spool, ...by });
    return found?.type === 'attempt.ended' ? found.spent : undefined;
  };

  it('is estimated from the tokens that were seen before it was killed', async () => {
    const seen: AgentEvent = { type: 'usage', input: 100_000, cacheRead: 0, cacheWrite: 0, output: 20_000 };
    expect(await spentBy({ agent: claude, spool: [seen] })).toMatchObject({ cost_usd: expect.closeTo(1), estimated: true });
  });

  it('is what it told last, and an estimate of what it used after that', async () => {
    const afterCost = { input: 100_000, cacheRead: 0, cacheWrite: 0, output: 20_000 };
    const seen: AgentEvent = { type: 'usage', input: 900_000, cacheRead: 0, cacheWrite: 0, output: 90_000, costUsd: 0.25, afterCost };
    expect(await spentBy({ agent: claude, spool: [seen] })).toMatchObject({ input: 900_000, cost_usd: expect.closeTo(1.25), estimated: true });
    const unlisted = { ...claude, kind: 'stream-json', model: 'unlisted' } as const;
    expect(await spentBy({ agent: unlisted, spool: [seen] })).toMatchObject({ cost_usd: 0.25, estimated: true });
  });

  it.each(['codex', 'gemini'] as const)(
    'is estimated for a killed %s, which tells its tokens at its end, from what it said and what its tools answered',
    async (kind) => {
      const agent = { ...testSettings().agent, kind, model: 'gpt-5.5' };
      const call = (id: string): AgentEvent[] => [
        { type: 'tool.started', id, name: 'Bash', input: {} },
        { type: 'tool.finished', id, ok: true, output: 'x'.repeat(20_000) },
      ];
      const spool: AgentEvent[] = [...call('1'), { type: 'reasoning', text: 'y'.repeat(3_000) }, { type: 'message', text: 'z'.repeat(1_000) }, ...call('2')];
      // 27,003 new tokens, 43,006 from the cache in two later requests, 1,000 of its own.
      expect(await spentBy({ agent, spool })).toEqual({
        input: 0,
        cache_read: 0,
        cache_write: 0,
        output: 0,
        cost_usd: expect.closeTo(0.1865, 4),
        estimated: true,
      });
      expect(await spentBy({ agent, spool: [] })).toBeNull();
    },
  );

  it('is assumed for a commit message, by the price of its agent', async () => {
    const spentOnIt = { input: 0, cache_read: 0, cache_write: 0, output: 0, cost_usd: expect.closeTo(0.0625), estimated: true };
    expect(await spentBy({ agent: claude, role: 'message' })).toEqual(spentOnIt);
    expect(await spentBy({ agent: claude })).toBeNull();
    expect(await spentBy({ role: 'message' })).toEqual({ ...spentOnIt, cost_usd: null, estimated: false });
  });

  it('is nothing for a commit message that the provider refused because of a limit', async () => {
    const limit: AgentEvent = { type: 'rate_limit', status: 'rejected', resetsAtMs: 1, window: 'five_hour' };
    expect(await spentBy({ agent: claude, role: 'message', spool: [limit] })).toBeNull();
  });
});
