import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { always, perSession, type Scenario } from '../support/model-server/scenario.ts';
import { openModelServer } from '../support/model-server/server.ts';
import { apiError, run, say, usageLimit } from '../support/model-server/turns.ts';
import { processesOf } from '../support/processes-of.ts';
import { startRalph } from '../support/ralph.ts';
import { binFolder, claudeEnv, codexEnv, expectRealAgents } from '../support/real-agents.ts';
import { openRepo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const agents = expectRealAgents();
const PROMPT = 'Write "good" into answer.txt. When it is there, answer with <response>DONE</response> and nothing else.';

type Name = 'claude' | 'codex';

interface World {
  readonly subscriber?: boolean;
  readonly args?: readonly string[];
}

/** The built loop with a real agent in a real repository; only the model is scripted. */
async function openLoop(name: Name, scenario: Scenario, { subscriber = false, args = [] }: World = {}) {
  const repo = await openRepo();
  const server = await openModelServer(scenario);
  const world = { url: server.url, home: join(repo.beside, 'home'), bin: await binFolder(agents, repo.beside) };
  const env = name === 'claude' ? await claudeEnv({ ...world, subscriber }) : await codexEnv(world);
  const guardrail = 'grep -qx good answer.txt';
  const running = startRalph(['run', '-p', PROMPT, '--agent', name, '--guardrail', guardrail, '-m', '4', '--json', ...args], {
    cwd: repo.path,
    env,
    withinMs: 150_000,
  });
  return {
    repo,
    server,
    running,
    env,
    async result() {
      const ended = await running.ended;
      return { ...ended, json: JSON.parse(ended.stdout || 'null') };
    },
    async [Symbol.asyncDispose]() {
      running.child.kill('SIGKILL');
      await server[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

const badThenGood = () =>
  perSession(
    [run('echo bad > answer.txt', 'I write it.'), say('<response>DONE</response>')],
    [run('echo good > answer.txt', 'I see what is red.'), say('<response>DONE</response>')],
  );

describe.skipIf(agents.missing).each<Name>(['claude', 'codex'])('a whole loop with the real %s', (name) => {
  it('refuses the first claim, feeds the red guardrail back, and ends when it is green', async () => {
    await using loop = await openLoop(name, badThenGood());
    const { code, json, stderr } = await loop.result();

    expect(stderr).toContain('grep -qx good answer.txt');
    expect(json).toMatchObject({ stop_reason: 'completed', iterations: 2, attempts: 2, unproven: false, zero_work: false });
    expect(code).toBe(0);
    expect(await readFile(join(loop.repo.path, 'answer.txt'), 'utf8')).toBe('good\n');
    const prompts = loop.server.requests.map((request) => request.prompt);
    expect(prompts[0]).not.toContain('Guardrail');
    expect(prompts[2]).toContain('Guardrail "grep -qx good answer.txt" failed with exit code 1.');
    expect(json.tokens.input).toBeGreaterThan(0);
    expect(loop.repo.git('status', '--short')).toBe('?? answer.txt');
  });

  it('stops at once when the provider refuses the key, with exit code 4', async () => {
    await using loop = await openLoop(name, always(apiError(401)));
    const { code, json } = await loop.result();

    expect(json).toMatchObject({ stop_reason: 'fatal', iterations: 1, attempts: 1, done: false });
    expect(code).toBe(4);
  });

  it('treats an unavailable provider as a limit, which costs no iteration', async () => {
    await using loop = await openLoop(name, always(apiError(529)), { args: ['--max-limit-wait', '10s'] });
    const { code, json } = await loop.result();

    expect(json).toMatchObject({ stop_reason: 'rate_limited', message: expect.stringContaining('The provider cannot answer'), iterations: 1, attempts: 1 });
    expect(code).toBe(1);
  });

  it('leaves neither the agent nor its tool running when the loop is killed, and can be resumed', async () => {
    await using loop = await openLoop(
      name,
      perSession([run('touch started; sleep 613'), say('never')], [run('echo good > answer.txt'), say('<response>DONE</response>')]),
    );
    await until('the tool runs', () => existsSync(join(loop.repo.path, 'started')), 60_000);
    loop.running.child.kill('SIGKILL');
    await loop.running.ended;

    await until('agent and tool are gone', () => processesOf('sleep 613').length === 0 && processesOf(loop.repo.beside).length === 0);
    const resumed = await startRalph(['run', '--resume', '--json'], { cwd: loop.repo.path, env: loop.env, withinMs: 120_000 }).ended;
    expect(JSON.parse(resumed.stdout), resumed.stderr).toMatchObject({ stop_reason: 'completed', iterations: 1, attempts: 2 });
    expect(resumed.code).toBe(0);
  });
});

describe.skipIf(agents.missing)('a usage limit', () => {
  it('of a claude subscriber is waited out until its reset, without charging an iteration', async () => {
    const resetsAtMs = Date.now() + 12_000;
    await using loop = await openLoop('claude', perSession([usageLimit(resetsAtMs)], [run('echo good > answer.txt'), say('<response>DONE</response>')]), {
      subscriber: true,
    });
    const { code, json, stderr } = await loop.result();

    expect(json).toMatchObject({ stop_reason: 'completed', iterations: 1, attempts: 2 });
    expect(code).toBe(0);
    expect(Date.now()).toBeGreaterThanOrEqual(resetsAtMs);
    expect(stderr).toMatch(/limit/i);
  });

  it('of codex that lasts too long ends the run as rate_limited', async () => {
    await using loop = await openLoop('codex', always(usageLimit(Date.now() + 5 * 3_600_000)), { args: ['--max-limit-wait', '1h'] });
    const { code, json } = await loop.result();

    expect(json).toMatchObject({ stop_reason: 'rate_limited', iterations: 1, done: false });
    expect(code).toBe(1);
  });
});
