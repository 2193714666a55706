import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { findingsIn, place, putProgram, resultsIn } from '../../../test/support/preflight-stage.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { superviseSpec } from '../../../test/support/supervise-spec.ts';
import { workSpec } from '../../../test/support/work-spec.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { SettingsFile } from '../../settings/schema/settings-file.ts';

const inOs = (settings: RunSettings): RunSettings => ({ ...settings, wall: { ...settings.wall, mode: 'os' } });
const onTasks = (settings: RunSettings): RunSettings => testSettings({ ...inOs(settings), recipe: 'work', work: workSpec() });
const showing =
  (path: string) =>
  (settings: RunSettings): RunSettings => ({ ...inOs(settings), wall: { ...inOs(settings).wall, readable: [path] } });
/** All agents share the operator's git. */
const inTaskFolder = (settings: RunSettings): RunSettings => testSettings({ ...inOs(settings), recipe: 'supervise', supervise: superviseSpec() });

const ADA = '[user]\n\tname = Ada\n\temail = ada@example.com\n';
/** The operator's own git settings count, and nothing else names an author. */
const NAMELESS = { GIT_CONFIG_GLOBAL: '' };

function put(repo: Repo, name: string, text: string, mode = 0o644): string {
  const file = join(repo.beside, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

async function nameless(): Promise<Repo> {
  const repo = await openRepo({ 'a.txt': 'a\n' }, [['config', 'user.useConfigOnly', 'true']]);
  onTestFinished(() => repo[Symbol.asyncDispose]());
  return repo;
}

/** The operator's git settings take the author from another file under a condition. */
function includeIf(repo: Repo, condition: string): Readonly<Record<string, string>> {
  put(repo, 'home/office', ADA);
  put(repo, 'home/.gitconfig', `[includeIf "${condition}"]\n\tpath = office\n`);
  return NAMELESS;
}

function signedByAHiddenKey(repo: Repo): Readonly<Record<string, string>> {
  const settings = { 'user.name': 'Ada', 'user.email': 'ada@example.com', 'commit.gpgSign': 'true', 'gpg.program': 'false' };
  for (const [key, value] of Object.entries(settings)) repo.git('config', key, value);
  return NAMELESS;
}

describe.skipIf(bubblewrapIsMissing())('a program that the sandbox hides keeps a run from starting', () => {
  it.each<[string, SettingsFile, string]>([
    [
      'as a gate',
      { guardrails: [{ command: 'CI=1 checker --all' }, { command: 'git status' }] },
      'the check "CI=1 checker --all" cannot run: the sandbox "os" hides the program checker',
    ],
    ['as the agent', { agent: { command: '../beside/bin/checker' } }, 'the sandbox "os" hides the agent ../beside/bin/checker'],
  ])('%s, unless its folder is shown', async (_name, settings, what) => {
    const repo = await place();
    const bin = join(repo.beside, 'bin');
    const PATH = await putProgram(repo, 'bin/checker', '#!/bin/sh\n');
    // The sandbox shows a folder of PATH by its own path only.
    const env = { PATH: PATH.replace(bin, `${repo.path}/../beside/bin`) };
    expect(await findingsIn(repo, { settings, env, change: inOs })).toEqual([
      expect.objectContaining({ isFatal: true, what, where: join(bin, 'checker'), fix: expect.stringContaining(`{"sandbox": {"readable": ["${bin}"]}}`) }),
    ]);
    expect(await findingsIn(repo, { settings, env, change: showing(bin) })).toEqual([]);
    expect(await findingsIn(repo, { settings, env })).toEqual([]);
  });
});

type Prepare = (repo: Repo) => Readonly<Record<string, string>>;

describe.skipIf(bubblewrapIsMissing())('in the sandbox agents can commit', () => {
  it.each<[string, Prepare, typeof inOs]>([
    ['as GIT_CONFIG_GLOBAL says in a hidden folder', (repo) => ({ GIT_CONFIG_GLOBAL: put(repo, 'home/.hidden/git', ADA) }), inOs],
    [
      'as a file says that GIT_CONFIG_GLOBAL includes',
      (repo) => ({ GIT_CONFIG_GLOBAL: put(repo, 'git', `[include]\n\tpath = ${put(repo, 'more', ADA)}\n`) }),
      inOs,
    ],
    ['as the environment says', () => ({ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' }), inOs],
    ['as an includeIf of the folder says, on a task', (repo) => includeIf(repo, `gitdir:${repo.path}/`), onTasks],
    ['as an includeIf of the folder says, whatever its case', (repo) => includeIf(repo, `gitdir/i:${repo.path.toUpperCase()}/`), inOs],
    ['as an includeIf of the branch says', (repo) => includeIf(repo, 'onbranch:main'), inOs],
    ['unsigned with their own git, where a hidden key signs', signedByAHiddenKey, inOs],
    ['unsigned with the git of the operator, where a hidden key signs', signedByAHiddenKey, inTaskFolder],
  ])('%s', async (_name, prepare, change) => {
    const repo = await nameless();
    const env = { ...NAMELESS, ...prepare(repo) };
    const [before, results] = [repo.git('for-each-ref'), await resultsIn(repo, { env, change })];
    expect(results.find(({ name }) => name === 'commits')).toEqual({ name: 'commits', findings: [], ok: ['agents can commit in the sandbox'] });
    expect([repo.git('for-each-ref'), repo.git('symbolic-ref', 'HEAD')]).toEqual([before, 'refs/heads/main']);
  });

  it('not on the branch of a task, if only another branch has an author', async () => {
    const repo = await nameless();
    const [finding] = await findingsIn(repo, { env: includeIf(repo, 'onbranch:main'), change: onTasks });
    expect(finding).toMatchObject({ name: 'commits', isFatal: true });
    expect(finding?.what).toMatch(/^true cannot commit in the sandbox "os", although you can here: no \w+ was given/);
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  });

  it('and nothing else starts, if git reads its settings through a link that an agent could turn elsewhere', async () => {
    const repo = await nameless();
    symlinkSync(put(repo, 'home/.hidden/git', ADA), join(repo.path, 'author'));
    const GIT_CONFIG_GLOBAL = put(repo, 'home/.gitconfig', `[include]\n\tpath = ${repo.path}/author\n`);
    for (const settings of [{}, { scm: { command: 'git', tasks: ['commit'] } }]) {
      expect(await findingsIn(repo, { env: { GIT_CONFIG_GLOBAL }, settings, change: inOs })).toEqual([
        expect.objectContaining({
          name: 'commits',
          isFatal: true,
          where: 'sandbox',
          what: expect.stringMatching(/^no agent can start.*author is a symbolic link/),
        }),
      ]);
    }
  });

  it('not without hooks that are hidden', async () => {
    const repo = await place();
    const hooks = dirname(put(repo, 'home/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755));
    repo.git('config', 'core.hooksPath', hooks);
    const [finding] = await findingsIn(repo, { change: inOs });
    expect(finding).toMatchObject({ isFatal: true, where: `core.hooksPath: ${hooks}`, what: expect.stringMatching(/hides hooks of git.*: pre-commit$/) });
    expect(await findingsIn(repo, { change: showing(hooks) })).toEqual([]);
  });
});

it('without a sandbox, a key that needs a variable that agents do not get is found', async () => {
  const repo = await place();
  const key = await putProgram(
    repo,
    'bin/signs',
    '#!/bin/sh\n[ -n "$KEY_AGENT" ] || exit 1\ncat >/dev/null; echo "[GNUPG:] SIG_CREATED " >&2; echo signature\n',
  );
  for (const [name, value] of Object.entries({ 'commit.gpgSign': 'true', 'gpg.program': join(repo.beside, 'bin/signs') })) repo.git('config', name, value);
  const env = { PATH: key, KEY_AGENT: 'x' };
  const [finding, ...more] = await findingsIn(repo, { env });
  expect(finding).toMatchObject({
    isFatal: true,
    what: expect.stringMatching(/^true cannot commit with the environment that it gets, although you can here: .*sign/),
  });
  expect(more).toEqual([]);
  const passed = (settings: RunSettings): RunSettings => ({ ...settings, wall: { ...settings.wall, env: { pass: ['KEY_AGENT'] } } });
  expect(await findingsIn(repo, { env, change: passed })).toEqual([]);
});
