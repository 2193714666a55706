import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gone, holdRun, makeRun } from '../../../test/support/made-runs.ts';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { findingsIn, place, putProgram, resultsIn } from '../../../test/support/preflight-stage.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';
import { CHECKS } from './checks.ts';
import { DOCTOR_CHECKS } from './doctor-checks.ts';
import { freeResult, nodeResult } from './machine.ts';

/** A program of node that does what claude does when it is asked for its version, and refuses one flag. */
const CLAUDE = `#!${process.execPath}
if (process.argv.includes('--version')) console.log('2.1.0 (Claude Code)');
else if (process.argv.includes('--old')) { console.error("error: unknown option '--old'"); process.exitCode = 1; }
else { console.error('Error: Input must be provided'); process.exitCode = 1; }
`;
const LOGGED_IN = { ANTHROPIC_API_KEY: 'x', CLAUDE_CODE_USE_BEDROCK: '1' };

/** A claude as npm installs it: a link in `folder` to a file of its package. */
async function putClaude(repo: Repo, folder: string, text: string): Promise<string> {
  const name = `${folder}/node_modules/claude-code/cli.js`;
  await putProgram(repo, name, text);
  await symlink(join(repo.beside, name), join(repo.beside, folder, 'claude'));
  return `${join(repo.beside, folder)}:${gitEnv.PATH}`;
}

describe('the gates of a run', () => {
  const gates = (...commands: readonly string[]): SettingsFile => ({ guardrails: commands.map((command) => ({ command })) });

  it('need programs that exist, and the finding guesses what was meant', async () => {
    const findings = await findingsIn(await place(), { settings: gates('giit status', 'git status') });
    expect(findings).toEqual([expect.objectContaining({ name: 'gates', isFatal: true, fix: expect.stringMatching(/^Did you mean git\?/) })]);
    expect(findings[0]?.what).toBe('the check "giit status" cannot run: the program giit was not found');
  });

  it('may use what an agent puts into a folder of the work tree', async () => {
    const repo = await place();
    for (const path of ['node_modules/.bin', join(repo.path, 'node_modules/.bin')]) {
      expect(await findingsIn(repo, { settings: gates('no-such-tool'), env: { PATH: `${path}:${gitEnv.PATH}` } })).toEqual([]);
    }
  });

  it('have the programs of the microVM in docker', async () => {
    const change = (settings: RunSettings): RunSettings => ({ ...settings, wall: { ...settings.wall, mode: 'docker' } });
    expect(await findingsIn(await place(), { settings: gates('no-such-tool'), change })).toEqual([]);
  });
});

describe('the agent of a run', () => {
  it('must be found', async () => {
    const findings = await findingsIn(await place(), { settings: { agent: { command: 'no-such-agent' } } });
    expect(findings).toEqual([expect.objectContaining({ name: 'agent', isFatal: true, what: 'the agent "no-such-agent" was not found' })]);
  });

  it('has no login and no model if it is a plain command, or a script with the name of an agent', async () => {
    const repo = await place();
    const PATH = await putProgram(repo, 'bin/claude', '#!/bin/sh\ntouch "$(dirname "$0")/started"\n');
    for (const command of ['true', 'claude']) {
      const results = await resultsIn(repo, { settings: { agent: { command, autonomy: 'edits' } }, env: { PATH } });
      expect(results.flatMap(({ findings }) => findings)).toEqual([]);
      expect(results.filter(({ name }) => name === 'login' || name === 'model').flatMap(({ ok }) => ok)).toEqual([]);
    }
    expect(existsSync(join(repo.beside, 'bin/started'))).toBe(false);
  });

  it.each(['local/bin', '.local/share/claude/bin'])('starts from %s, behind a link', async (folder) => {
    const repo = await place();
    const env = { ...LOGGED_IN, PATH: await putClaude(repo, folder, CLAUDE) };
    const results = await resultsIn(repo, { settings: { agent: { command: 'claude', autonomy: 'edits' } }, env });
    expect(results.find(({ name }) => name === 'agent')).toMatchObject({ findings: [], ok: [expect.stringContaining('2.1.0 (Claude Code)')] });
  });

  it('keeps the run from starting if it does not start, if it refuses its flags, and if it is not logged in', async () => {
    const repo = await place();
    const PATH = await putClaude(repo, 'bin', CLAUDE);
    const broken = await putClaude(repo, 'broken', `#!${process.execPath}\nconsole.error('Error: this Node is too old'); process.exit(3);\n`);
    const agent = { command: 'claude', autonomy: 'edits' } as const;
    const findings = await findingsIn(repo, { settings: { agent }, env: { ...LOGGED_IN, PATH: broken } });
    expect(findings).toEqual([expect.objectContaining({ name: 'agent', isFatal: true, what: 'claude does not start: exit code 3: this Node is too old' })]);
    const old = await findingsIn(repo, { settings: { agent: { ...agent, flags: ['--old'] } }, env: { ...LOGGED_IN, PATH } });
    expect(old).toEqual([expect.objectContaining({ name: 'agent', isFatal: true, what: "claude refuses its flags: unknown option '--old'" })]);
    expect(await findingsIn(repo, { settings: { agent: { ...agent, flags: ['--new'] } }, env: { ...LOGGED_IN, PATH } })).toEqual([]);
    const { CLAUDE_CODE_USE_BEDROCK: _, ANTHROPIC_API_KEY: __, ...nothing } = LOGGED_IN;
    const left = await findingsIn(repo, { settings: { agent }, env: { ...nothing, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', PATH } });
    expect(left.map(({ name, isFatal }) => [name, isFatal])).toEqual([
      ['login', true],
      ['model', true],
    ]);
  });
});

describe('the doctor', () => {
  const git = DOCTOR_CHECKS.filter(({ name }) => name === 'git');
  const nameless = async () => {
    const repo = await openRepo({ 'a.txt': 'a\n' }, [['config', 'user.useConfigOnly', 'true']]);
    onTestFinished(() => repo[Symbol.asyncDispose]());
    return repo;
  };
  const commits = { scm: { command: 'git', tasks: ['commit'] } };

  it('finds a missing author, which is fatal where Ralph commits', async () => {
    const repo = await nameless();
    expect(await findingsIn(repo, { checks: git })).toEqual([
      expect.objectContaining({ isFatal: false, what: expect.stringContaining('git knows no author') }),
    ]);
    expect(await findingsIn(repo, { checks: git, settings: commits })).toEqual([expect.objectContaining({ isFatal: true })]);
  });

  it('is content with an author that only the environment names', async () => {
    const names = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
    expect(await findingsIn(await nameless(), { checks: git, settings: commits, env: names })).toEqual([]);
  });

  it('says how much Ralph keeps, and how to remove it', async () => {
    const repo = await place();
    const runs = DOCTOR_CHECKS.filter(({ name }) => name === 'runs');
    const said = async () => (await resultsIn(repo, { checks: runs })).flatMap(({ ok }) => ok);
    expect(await said()).toEqual(['no run is at work here, 0 in all']);
    await repo.write('.git/ralph/cache/deep/x', 'x'.repeat(100_000));
    repo.git('update-ref', 'refs/ralph/kept/r1/files/x', 'HEAD');
    expect((await said())[1]).toMatch(
      /^Ralph keeps 1\d\d KiB in .*\.git\/ralph and 1 ref at refs\/ralph\/kept; ralph runs prune removes what old runs no longer need$/,
    );
  });

  it('says that a commit cannot be signed', async () => {
    const repo = await place();
    for (const [key, value] of Object.entries({ 'commit.gpgSign': 'true', 'gpg.program': 'false' })) repo.git('config', key, value);
    for (const checks of [git, CHECKS]) {
      expect(await findingsIn(repo, { checks, settings: commits })).toEqual([expect.objectContaining({ isFatal: true, where: 'commit.gpgSign' })]);
    }
  });
});

it('a new run says that a killed one has work that has not landed, and how it lands', async () => {
  const repo = await place();
  const runs = join(repo.path, '.git/ralph/runs');
  await mkdir(runs, { recursive: true });
  const isolated = async (run: string, isOut: boolean) => repo.write(`.git/ralph/runs/${run}/isolated/state.json`, JSON.stringify({ isOut }));
  await makeRun(runs, 'landed', { writer: gone() });
  await isolated('landed', false);
  await makeRun(runs, 'killed', { writer: gone() });
  await isolated('killed', true);
  await makeRun(runs, 'alive', {});
  await isolated('alive', true);
  const letGo = await holdRun(runs, 'alive');
  const findings = await findingsIn(repo, {});
  await letGo();
  expect(findings).toEqual([
    {
      name: 'unlanded',
      what: 'run killed was killed, and what its agent changed has not landed',
      where: join(runs, 'killed'),
      fix: 'Land it with: ralph runs resume killed. Look at it with: ralph diff killed --live',
      isFatal: false,
    },
  ]);
});

describe('the machine', () => {
  it.each([
    ['18.20.0', true],
    ['20.18.3', true],
    ['20.19.0', false],
    ['22.4.0', false],
    ['24.0.0', false],
  ])('with Node %s is too old: %s', (version, isOld) => {
    expect(nodeResult(version).findings.map(({ isFatal }) => isFatal)).toEqual(isOld ? [true] : []);
  });

  it.each([
    [0, [true]],
    [100 * 1024 * 1024, [false]],
    [1024 ** 3, []],
    [null, []],
  ])('with %s bytes of free disk space has the findings %j', (bytes, fatal) => {
    expect(freeResult('/', bytes).findings.map(({ isFatal }) => isFatal)).toEqual(fatal);
  });
});
