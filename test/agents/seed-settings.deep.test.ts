// Deep: scripted agents cover commits, reviews and messages.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunView } from '../../src/report/views/run-view.ts';
import { perSession, type Scenario } from '../support/model-server/scenario.ts';
import { openModelServer } from '../support/model-server/server.ts';
import { run, say, usageLimit } from '../support/model-server/turns.ts';
import { processesOf } from '../support/processes-of.ts';
import { startRalph } from '../support/ralph.ts';
import { binFolder, claudeEnv, codexEnv, expectRealAgents } from '../support/real-agents.ts';
import { openRepo, type Repo } from '../support/repo.ts';
import { until } from '../support/until.ts';

const agents = expectRealAgents();
const makeIsHere = spawnSync('make', ['--version']).status === 0;

const PROMPT = 'Write a greeting into greeting.txt. When it is there, answer with <response>DONE</response> and nothing else.';
const MESSAGE_PROMPT = 'Provide a short imperative commit message for the changes. Output only the message, no explanation.';
const HINT = 'Fix lint errors only. Do not change behavior.';
const done = say('<response>DONE</response>');
const work = [run('echo hello > greeting.txt', 'I write it.'), done];

type Name = 'claude' | 'codex';

/** The example of seed 001. No claude of today knows its second flag, `--no-auto-compact`: see the last test. */
const seedSettings = (command: Name, flags: readonly string[]) => ({
  maximumIterations: 10,
  completionResponse: 'DONE',
  outputTruncateChars: 5000,
  streamAgentOutput: true,
  includeIterationCountInPrompt: false,
  agent: { command, flags },
  guardrails: [
    { command: 'make lint', failAction: 'APPEND', hint: HINT },
    { command: 'make test', failAction: 'APPEND' },
  ],
  scm: { command: 'git', tasks: ['commit', 'push'] },
});

const FLAGS: Readonly<Record<Name, readonly string[]>> = { claude: ['--model opus'], codex: ['--model gpt-5.4'] };

const FILES = {
  Makefile: '.PHONY: lint test\nlint:\n\t@sh lint.sh\ntest:\n\t@sh test.sh\n',
  'lint.sh': 'test ! -e greeting.txt || ! grep -n "[[:space:]]$" greeting.txt\n',
  'test.sh': 'grep -q hello greeting.txt\n',
};

/** For a machine without make: the same scripts, and make's exit code. */
const MAKE = '#!/bin/sh\nsh "$1.sh" || exit 2\n';

interface Wishes {
  readonly more?: object;
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly subscriber?: boolean;
}

/** The built loop with the seed's settings and a real agent, in a repository with a remote beside it; only the model is scripted. */
async function openLoop(name: Name, scenario: Scenario, { more = {}, flags = FLAGS[name], args = [], subscriber = false }: Wishes = {}) {
  const settings = { ...seedSettings(name, flags), ...more };
  const repo = await openRepo({ ...FILES, '.ralph/settings.json': JSON.stringify(settings) });
  const remote = addRemote(repo);
  const server = await openModelServer(scenario);
  const bin = await binFolder(agents, repo.beside);
  if (!makeIsHere) await writeFile(join(bin, 'make'), MAKE, { mode: 0o755 });
  const world = { url: server.url, home: join(repo.beside, 'home'), bin };
  const env = name === 'claude' ? await claudeEnv({ ...world, subscriber }) : await codexEnv(world);
  const running = startRalph(['run', '-p', PROMPT, '--json', ...args], { cwd: repo.path, env, withinMs: 150_000 });
  return {
    repo,
    /** The subjects of the remote's history, oldest first. */
    pushed: () => repo.git('--git-dir', remote, 'log', '--format=%s', '--reverse', 'main').split('\n'),
    /** What each agent process was asked, and which model was to answer. */
    asked: () => [...new Map(server.requests.map((request) => [request.session, request] as const)).values()],
    log: (file: string) => readFile(join(repo.path, '.ralph', file), 'utf8'),
    hasLog: (file: string) => existsSync(join(repo.path, '.ralph', file)),
    async result() {
      const { code, stdout, stderr } = await running.ended;
      const json: RunView | null = stdout === '' ? null : JSON.parse(stdout);
      return { code, json, stderr };
    },
    async [Symbol.asyncDispose]() {
      running.child.kill('SIGKILL');
      await server[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

type Loop = Awaited<ReturnType<typeof openLoop>>;

function addRemote({ git, beside }: Repo): string {
  const remote = join(beside, 'remote.git');
  git('init', '-q', '--bare', '-b', 'main', remote);
  git('remote', 'add', 'origin', remote);
  git('push', '-q', '-u', 'origin', 'main');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@example.com');
  return remote;
}

/** One commit with that message and only the work in it, here and at the remote; nothing else is left, on the disk or running. */
async function expectOneCommit({ repo, pushed }: Loop, message: string, greeting: string): Promise<void> {
  expect(repo.git('log', '--format=%B', '-1')).toBe(message);
  expect(repo.git('rev-list', '--count', 'HEAD')).toBe('2');
  expect(pushed()).toEqual(['start', message]);
  expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['.ralph/settings.json', 'Makefile', 'greeting.txt', 'lint.sh', 'test.sh']);
  expect(repo.git('show', 'HEAD:greeting.txt')).toBe(greeting);
  expect(repo.git('status', '--porcelain')).toBe('');
  await until('nothing runs any more', () => processesOf(repo.path, repo.beside).length === 0, 30_000);
}

describe.skipIf(agents.missing).each<Name>(['claude', 'codex'])("the seed's example settings with the real %s", (name) => {
  it('lint turns red and is fed back with its hint, is fixed, and the work is committed and pushed', async () => {
    await using loop = await openLoop(
      name,
      perSession(
        [run('printf "hello \\n" > greeting.txt', 'I write it.'), done],
        [run('echo hello > greeting.txt', 'I see a blank at the end.'), done],
        [say('Add a greeting')],
      ),
    );
    const { code, json, stderr } = await loop.result();

    expect(json, stderr).toMatchObject({ stop_reason: 'completed', done: true, unproven: false, iterations: 2, attempts: 3, review_cycles: 0 });
    expect(code).toBe(0);
    const output = await loop.log('guardrail_001_make_lint.log');
    expect(output).toContain('1:hello ');
    const failure = `Guardrail "make lint" failed with exit code 2.\nHint: ${HINT}\nOutput file: .ralph/guardrail_001_make_lint.log\nOutput (truncated):\n${output}`;
    expect(loop.asked().map(({ prompt }) => prompt.trimEnd())).toEqual([PROMPT, `${PROMPT}\n\n${failure}`.trimEnd(), MESSAGE_PROMPT]);
    for (const { model } of loop.asked()) expect(model).toContain(name === 'claude' ? 'opus' : 'gpt-5.4');
    await expectOneCommit(loop, 'Add a greeting', 'hello');
    expect(json).toMatchObject({ commits: 1, last_commit: loop.repo.git('rev-parse', 'HEAD'), scm_problem: null });
    // Two turns of 100 and 20 tokens in each of two iterations. In text mode no agent says what it used.
    expect(json?.tokens).toEqual({ input: 400, cache_read: 0, cache_write: 0, output: 80 });
    // That of codex comes from its tokens, that of the commit message is assumed.
    expect(json).toMatchObject({ cost_usd: expect.any(Number), cost_untold_attempts: 0, cost_estimated: true });
  });

  it('a usage limit instead of a message: nothing is committed or pushed, the work counts as done, and the run exits with 1 and says why', async () => {
    const limit = usageLimit(Date.now() + 5 * 3_600_000);
    await using loop = await openLoop(
      name,
      perSession(work, () => limit),
      { subscriber: true },
    );
    const { code, json, stderr } = await loop.result();

    expect(json, stderr).toMatchObject({ stop_reason: 'completed', iterations: 1, attempts: 2, commits: 0, last_commit: null });
    expect(json?.scm_problem).toContain('did not provide a valid commit message');
    expect(stderr).toMatch(/No commit message: (usage limit|the agent exited with code 1: You['’]ve hit your usage limit)/);
    expect(stderr).toContain('Not committed: the agent did not provide a valid commit message');
    expect(stderr).toContain('done, but not committed or pushed (exit 1)');
    expect(stderr).not.toContain('waiting until');
    expect(code).toBe(1);
    expect(loop.pushed()).toEqual(['start']);
    expect(loop.repo.git('log', '--format=%s')).toBe('start');
    expect(loop.repo.git('status', '--porcelain')).toBe('?? greeting.txt');
  });

  it('edits during the request for a message are checked before the commit', async () => {
    await using loop = await openLoop(name, perSession(work, [run('echo again >> greeting.txt'), say('<response>Greet twice</response>')]));
    const { code, json, stderr } = await loop.result();

    expect(json, stderr).toMatchObject({ stop_reason: 'completed', iterations: 1, attempts: 2, commits: 1, scm_problem: null });
    expect(code).toBe(0);
    // Each time once on the work and once in the clean copy that proves the claim.
    expect(stderr.match(/Guardrail end: make lint \(exit 0\)/g)).toHaveLength(4);
    expect(loop.hasLog('guardrail_001_message_make_test.log')).toBe(true);
    await expectOneCommit(loop, 'Greet twice', 'hello\nagain');
  });

  it('a break during the request for a message is not committed, and the next iteration is told', async () => {
    await using loop = await openLoop(
      name,
      perSession(work, [run('printf "bad \\n" >> greeting.txt'), say('Break it')], [run('echo hello > greeting.txt'), done], [say('Mend it')]),
    );
    const { code, json, stderr } = await loop.result();

    expect(json, stderr).toMatchObject({ stop_reason: 'completed', iterations: 2, attempts: 4, commits: 1, scm_problem: null });
    expect(code).toBe(0);
    expect(loop.asked()[2]?.prompt).toContain(`failed with exit code 2.\nHint: ${HINT}\nOutput file: .ralph/guardrail_001_message_make_lint.log\n`);
    await expectOneCommit(loop, 'Mend it', 'hello');
  });

  it('a review edits the work, the guardrails check it, and one commit contains both', async () => {
    const reviews = { reviewAfter: 1, prompts: [{ name: 'detailed', prompt: 'Review the greeting and mend it.' }] };
    const scenario = perSession(work, [run('echo reviewed >> greeting.txt'), say('Mended.')], [say('Add a reviewed greeting')]);
    await using loop = await openLoop(name, scenario, { more: { reviews } });
    const { code, json, stderr } = await loop.result();

    expect(json, stderr).toMatchObject({ stop_reason: 'completed', iterations: 1, attempts: 3, review_cycles: 1, commits: 1, scm_problem: null });
    expect(code).toBe(0);
    expect(loop.asked().map(({ prompt }) => prompt.trimEnd())).toEqual([PROMPT, 'Review the greeting and mend it.', MESSAGE_PROMPT]);
    expect(stderr).toContain('[Review: detailed] Complete');
    expect(loop.hasLog('guardrail_001_review_detailed_make_lint.log')).toBe(true);
    expect(json?.tokens).toMatchObject({ input: 400, output: 80 });
    await expectOneCommit(loop, 'Add a reviewed greeting', 'hello\nreviewed');
  });
});

describe.skipIf(agents.missing)('the flags of the seed, to the letter', () => {
  it('are refused by the current claude before the run starts, with the flag and its setting', async () => {
    await using loop = await openLoop('claude', [], { flags: ['--model opus', '--no-auto-compact'], args: ['-m', '1'] });
    const { code, json, stderr } = await loop.result();

    expect(json, stderr).toMatchObject({ stop_reason: 'fatal', done: false });
    expect(stderr).toContain(
      "claude refuses its flags: unknown option '--no-auto-compact' (agent.command, agent.flags: claude --model opus --no-auto-compact)",
    );
    expect(code).toBe(4);
    expect(loop.asked()).toEqual([]);
    expect(loop.pushed()).toEqual(['start']);
  });
});
