import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import { OPERATOR, openRepo, type Repo } from '../support/repo.ts';
import { planOf, story } from '../support/stories-stage.ts';
import { PLAN, planText } from '../support/work-stage.ts';

const AGENT = '#!/bin/sh\ncat >/dev/null\ntouch "$(dirname "$0")/started"\necho done > work.txt\necho DONE\n';
const TYPO = 'giit status';

async function openStage() {
  const files = { 'a.txt': 'a\n', [PLAN]: planText(['T-1']), 'ralph/tasks.json': planOf([story('US-001')], { branchName: 'main' }) };
  const repo = await openRepo(files, OPERATOR);
  const agent = join(repo.beside, 'agent.sh');
  await writeFile(agent, AGENT, { mode: 0o755 });
  const start = (args: readonly string[], env = {}) => ralph(args, { cwd: repo.path, env: { HOME: repo.beside, ...env } });
  return { repo, agent, start, hasStarted: () => existsSync(join(repo.beside, 'started')), [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose]() };
}

const runsIn = (repo: Repo) => (existsSync(join(repo.path, '.git/ralph/runs')) ? readdirSync(join(repo.path, '.git/ralph/runs')) : []);

describe('a mistyped gate', () => {
  it.each([
    ['run', ['run', '-p', 'Do it.', '--guardrail', TYPO]],
    ['loop', ['loop', 'Do it.', '--check', TYPO]],
    ['work', ['work', '--plan', PLAN, '--check', TYPO]],
    ['stories', ['work', '--plan', 'ralph/tasks.json', '--check', TYPO]],
    ['supervise', ['supervise', '--task', 't', '-p', 'Do it.', '--check', TYPO]],
  ])('keeps %s from starting, with exit code 4 and one line', async (_name, args) => {
    await using stage = await openStage();
    const { code, stderr } = await stage.start([...args, '--agent', stage.agent]);
    expect(stderr).toMatch(/^error: the check "giit status" cannot run: the program giit was not found \(PATH\)\nhint: Did you mean git\?.* ralph doctor\n$/m);
    expect({ code, hasStarted: stage.hasStarted(), runs: runsIn(stage.repo) }).toEqual({ code: 4, hasStarted: false, runs: [] });
  });

  it('of a single task of a plan keeps work from starting, unless that task is not wanted', async () => {
    await using stage = await openStage();
    await stage.repo.write(
      PLAN,
      planText([
        ['T-1', 'tags: [a]'],
        ['T-2', `tags: [b], verify: "${TYPO}"`],
      ]),
    );
    stage.repo.git('rm', '-q', 'ralph/tasks.json');
    stage.repo.git('commit', '-qam', 'plan');
    const work = (tag: string) => stage.start(['work', '--plan', PLAN, '--tag', tag, '--agent', stage.agent, '--no-sandbox', '--pause', '0s']);
    const refused = await work('b');
    expect(refused.stderr).toMatch(/^error: the check "giit status" cannot run: the program giit was not found \(PATH\)$/m);
    expect({ code: refused.code, hasStarted: stage.hasStarted() }).toEqual({ code: 4, hasStarted: false });
    const doctor = await stage.start(['doctor', '--agent', stage.agent, '--json']);
    expect(doctor.code, doctor.stderr).toBe(4);
    const gates = expect.objectContaining({ name: 'gates', findings: [expect.objectContaining({ what: expect.stringContaining(TYPO), fatal: true })] });
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(gates);
    expect(await work('a')).toMatchObject({ code: 0 });
  });

  it.each([
    ['--no-preflight', ['--no-preflight'], {}],
    ['the settings', [], { preflight: false }],
  ])('is a red gate with %s', async (_name, flags, settings) => {
    await using stage = await openStage();
    await stage.repo.write('.ralph/settings.json', JSON.stringify(settings));
    const args = ['run', '-p', 'Do it.', '--guardrail', TYPO, '-m', '1', '--no-sandbox', '--proof', 'off', '--json', ...flags];
    const { code, stdout } = await stage.start([...args, '--agent', stage.agent]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ stop_reason: 'max_iterations', iterations: 1 });
    expect(stage.hasStarted()).toBe(true);
  });
});

it('a key that the provider refuses keeps a run from starting, and is shown nowhere', async () => {
  await using stage = await openStage();
  const [cli, bin] = [join(stage.repo.beside, 'node_modules/claude-code/cli.js'), join(stage.repo.beside, 'bin')];
  for (const folder of [dirname(cli), bin]) await mkdir(folder, { recursive: true });
  await writeFile(cli, `#!${process.execPath}\nconsole.log('2.1.0 (Claude Code)');\n`, { mode: 0o755 });
  await symlink(cli, join(bin, 'claude'));
  const provider = createServer((_request, answer) => void answer.writeHead(401).end('sk-secret-4711')).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const env = { PATH: `${bin}:${process.env['PATH']}`, ANTHROPIC_API_KEY: 'sk-secret-4711', ANTHROPIC_BASE_URL: url, IS_SANDBOX: '1' };
  const { code, stdout, stderr } = await stage.start(['run', '-p', 'Do it.', '--agent', 'claude', '--no-sandbox'], env);
  provider.close();
  expect(stderr).toMatch(/^error: the model of claude refuses its key: \S+ answers 401 \(ANTHROPIC_API_KEY\)\nhint: Set a key that /m);
  expect(`${stdout}${stderr}`).not.toContain('sk-secret');
  expect({ code, runs: runsIn(stage.repo) }).toEqual({ code: 4, runs: [] });
});

describe('ralph doctor', () => {
  it('exits 4 and lists every finding, with what to do', async () => {
    await using stage = await openStage();
    const { code, stdout } = await stage.start(['doctor', '--agent', 'no-such-agent', '--check', TYPO, '--check', 'cd x && y', '--no-sandbox', '--json']);
    const { ok, exit_code, checks } = JSON.parse(stdout);
    expect({ code, ok, exit_code }).toEqual({ code: 4, ok: false, exit_code: 4 });
    const fatal = checks.flatMap((check: { name: string; findings: readonly { fatal: boolean }[] }) =>
      check.findings.filter((finding) => finding.fatal).map((finding) => ({ name: check.name, ...finding })),
    );
    expect(fatal).toEqual([
      { name: 'agent', what: 'the agent "no-such-agent" was not found', where: 'agent.command', fix: expect.stringMatching(/^Install it/), fatal: true },
      { name: 'gates', what: expect.stringContaining('giit was not found'), where: 'PATH', fix: expect.any(String), fatal: true },
    ]);
  });

  it('prints a table and exits 0 where a run can start, also from a folder below', async () => {
    await using stage = await openStage();
    await mkdir(join(stage.repo.path, 'below'));
    const { code, stdout } = await ralph(['doctor', '--agent', stage.agent, '--check', 'git status', '--no-sandbox'], { cwd: join(stage.repo.path, 'below') });
    expect(stdout).toMatch(/^state +check +result\nok +node +Node /);
    expect(stdout).toMatch(/^ok +gates +its program exists: git status$/m);
    expect(stdout).toMatch(/\nA run can start here\.\n$/);
    expect({ code, hasStarted: stage.hasStarted(), runs: runsIn(stage.repo) }).toEqual({ code: 0, hasStarted: false, runs: [] });
  });

  it('works without a home, without a repository and without an agent', async () => {
    await using stage = await openStage();
    const { code, stdout } = await ralph(['doctor', '--no-sandbox'], { cwd: stage.repo.beside, env: { HOME: '', PATH: '/usr/bin:/bin' } });
    expect(code).toBe(4);
    expect(stdout).toMatch(/^error +agent +no agent is named, and none of claude, .* was found on PATH$/m);
    expect(stdout).toMatch(/^warning +git +this is not a git repository$/m);
  });
});
