import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import { deep } from '../../support/deep.ts';
import { CLI, cleanEnv, ralph } from '../../support/ralph.ts';
import { OPERATOR, openRepo, type Repo } from '../../support/repo.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';
import { openThrowAwayFolder } from '../../support/throw-away-folder.ts';

/** Does what claude does when it is asked for its version, and as an agent works and commits. */
const CLAUDE = `#!${process.execPath}
const { execSync } = require('node:child_process');
if (process.argv.includes('--version')) { console.log('2.1.0 (Claude Code)'); process.exit(); }
if (!process.argv.includes('-p')) process.exit(1);
execSync('echo done > work.txt && git add work.txt && git commit -qm "by the agent"');
for (const line of [{ type: 'system', subtype: 'init', session_id: 's' }, { type: 'result', subtype: 'success', is_error: false, result: 'DONE', usage: {} }]) console.log(JSON.stringify(line));
`;
const PACKAGE = 'node_modules/@anthropic-ai/claude-code/cli.js';

interface Place {
  readonly repo: Repo;
  readonly home: string;
  readonly put: (name: string, text: string) => string;
  readonly link: (name: string, target: string) => void;
}

async function openPlace(): Promise<Place & AsyncDisposable> {
  const repo = await openRepo({ 'readme.txt': 'hello\n' }, OPERATOR);
  const home = join(repo.beside, 'home');
  const pathOf = (name: string) => {
    const path = name.startsWith('/') ? name : join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  const put = (name: string, text: string) => {
    writeFileSync(pathOf(name), text, { mode: 0o755 });
    return pathOf(name);
  };
  put('.profile', '');
  return { repo, home, put, link: (name, target) => symlinkSync(target, pathOf(name)), [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose]() };
}

/** A login, and a cloud whose address Ralph does not know, so that nothing is asked of any network. */
const LOGIN = { ANTHROPIC_API_KEY: 'sk-dummy', CLAUDE_CODE_USE_BEDROCK: '1' };
const SANDBOX = ['--sandbox=os', '--agent', 'claude'];

async function expectReady({ repo, home }: Place, bin: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const place = { cwd: repo.path, env: { HOME: home, PATH: `${bin}:${process.env['PATH']}`, ...LOGIN, ...env } };
  const doctor = await ralph(['doctor', ...SANDBOX, '--check', 'test -s work.txt', '--json'], place);
  const { checks } = JSON.parse(doctor.stdout);
  const told = (name: string) => checks.find((check: { readonly name: string }) => check.name === name);
  expect(told('agent'), doctor.stdout).toMatchObject({ findings: [], ok: expect.arrayContaining([expect.stringContaining('2.1.0 (Claude Code)')]) });
  expect(doctor).toMatchObject({ code: 0, stderr: '' });
  const run = await ralph(['run', '-p', 'Do it.', '-m', '1', ...SANDBOX, '--guardrail', 'test -s work.txt', '--proof', 'green', '--json'], place);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(repo.git('log', '-1', '--format=%s')).toBe('by the agent');
}

describe.skipIf(bubblewrapIsMissing())('the doctor finds, through the os sandbox, an agent that works there', () => {
  it.each<[string, (place: Place) => string]>([
    [
      'behind nvm',
      ({ put, link, home }) => {
        put(`.nvm/versions/node/v22.4.0/lib/${PACKAGE}`, CLAUDE);
        link('.nvm/versions/node/v22.4.0/bin/claude', `../lib/${PACKAGE}`);
        return join(home, '.nvm/versions/node/v22.4.0/bin');
      },
    ],
    [
      'behind volta',
      ({ put, link, home }) => {
        link('.volta/bin/claude', put(`.volta/tools/image/packages/claude-code/lib/${PACKAGE}`, CLAUDE));
        return join(home, '.volta/bin');
      },
    ],
    [
      'behind a shim of asdf',
      ({ put, home }) => {
        const real = put(`.asdf/installs/nodejs/22.4.0/lib/${PACKAGE}`, CLAUDE);
        put('.asdf/shims/claude', `#!/usr/bin/env bash\n# asdf-plugin: nodejs 22.4.0\nexec ${real} "$@"\n`);
        return join(home, '.asdf/shims');
      },
    ],
    [
      'in ~/.local, behind a link',
      ({ put, link, home }) => {
        link('.local/bin/claude', put(`.local/share/claude/versions/2.1.0/${PACKAGE}`, CLAUDE));
        return join(home, '.local/bin');
      },
    ],
    [
      'in /tmp',
      ({ repo, put, link }) => {
        link(join(repo.beside, 'agents/claude'), put(join(repo.beside, 'agents', PACKAGE), CLAUDE));
        return join(repo.beside, 'agents');
      },
    ],
  ])('%s', async (_name, prepare) => {
    await using place = await openPlace();
    await expectReady(place, prepare(place));
  });

  it.each<[string, (place: Place) => Readonly<Record<string, string>>]>([
    ['a proxy and a certificate of the company', ({ put }) => ({ HTTPS_PROXY: 'http://proxy.invalid:3128', NODE_EXTRA_CA_CERTS: put('.company/ca.pem', '') })],
    ['no home in its environment', () => ({ HOME: '' })],
    [
      'the temporary folder of a CI',
      ({ repo }) => {
        mkdirSync(join(repo.beside, 'runner/_temp'), { recursive: true });
        return { TMPDIR: join(repo.beside, 'runner/_temp'), RUNNER_TEMP: join(repo.beside, 'runner/_temp'), CI: 'true' };
      },
    ],
  ])('with %s', async (_name, envOf) => {
    await using place = await openPlace();
    const env = envOf(place);
    const { repo, put, link } = place;
    link(join(repo.beside, 'agents/claude'), put(join(repo.beside, 'agents', PACKAGE), CLAUDE));
    await expectReady(place, join(repo.beside, 'agents'), env);
  });
});

deep('other versions of Node are downloaded', () => {
  it.each(['22', '24'])('the doctor and a run work with Node %s', async (version) => {
    await using folder = await openThrowAwayFolder();
    const npm = spawnSync('npm', ['install', '--prefix', folder.path, '--no-save', `node-${process.platform}-${process.arch}@${version}`], {
      encoding: 'utf8',
    });
    if (npm.status !== 0 && skipLoudly(`Node ${version}: npm cannot download it`)) return;
    const node = join(folder.path, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
    await using place = await openPlace();
    const agent = place.put(join(place.repo.beside, 'agent.sh'), '#!/bin/sh\ncat >/dev/null\necho done > work.txt\necho DONE\n');
    const start = (...args: readonly string[]) =>
      spawnSync(node, [CLI, ...args, '--agent', agent], { cwd: place.repo.path, env: cleanEnv(place.repo.path, { HOME: place.home }), encoding: 'utf8' });
    expect(start('doctor').stdout).toMatch(new RegExp(`^ok +node +Node ${version}\\.`, 'm'));
    const run = start('run', '-p', 'Do it.', '-m', '1', '--guardrail', 'test -s work.txt');
    expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
  });
});
