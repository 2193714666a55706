import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGitPlace, openPlace, type Place } from '../support/place.ts';
import { CLI } from '../support/ralph.ts';
import { runBinary } from '../support/run-binary.ts';
import { onlyForRoot } from '../support/skip-loudly.ts';

const workIn = (place: Place, ...more: readonly string[]) => [
  'run',
  '-p',
  'Do the work.',
  '--agent',
  place.agent,
  '--guardrail',
  'echo seen > seen.txt',
  '--json',
  ...more,
];

describe.concurrent('a run works', () => {
  it.each(['with spaces', '-leading-dash', 'ünïcödé 👩‍👩‍👧', 'it\'s "quoted" $HOME `id` %41', `${'x'.repeat(120)} ${'日本'.repeat(20)}`])(
    'in a repository called %s',
    async (name) => {
      await using place = await openGitPlace(name);
      const run = await place.ralph(workIn(place));

      expect(run.code, run.stderr).toBe(0);
      expect(run.result).toMatchObject({ done: true, run_folder: expect.stringContaining(join(place.path, '.git', 'ralph', 'runs')) });
      expect(place.git('status', '--porcelain', '--untracked-files=all')).toBe('?? seen.txt');
      const status = await place.ralph(['status', '--json']);
      expect(JSON.parse(status.stdout)).toMatchObject({ run_id: run.result?.run_id, status: 'stopped' });
    },
  );

  it('in a subdirectory of a repository, and its runs are stored with those of the repository', async () => {
    await using place = await openGitPlace();
    await place.write('packages/a/.ralph/settings.json', '{"completionResponse": "done"}');
    const cwd = join(place.path, 'packages', 'a');
    const run = await place.ralph(workIn(place), { cwd });

    expect(run.code, run.stderr).toBe(0);
    expect(run.result?.run_folder).toContain(join(place.path, '.git', 'ralph', 'runs'));
    expect(place.git('status', '--porcelain', '--untracked-files=all').split('\n')).toEqual(['?? packages/a/.ralph/settings.json', '?? packages/a/seen.txt']);
    expect(existsSync(join(place.path, '.ralph'))).toBe(false);
  });

  it('in two worktrees at the same time, with all runs in one place', async () => {
    await using place = await openGitPlace();
    const other = join(place.beside, 'other tree');
    place.git('worktree', 'add', '-q', '-b', 'other', other);
    const meet = (mine: string, theirs: string) =>
      `sh -c 'cat >/dev/null; touch "${place.beside}/${mine}"; n=0; until test -e "${place.beside}/${theirs}"; do n=$((n+1)); test $n -lt 600 || exit 1; sleep 0.1; done; echo DONE'`;
    const args = (agent: string) => ['run', '-p', 'Meet.', '--agent', agent, '--guardrail', 'true', '--json'];
    const [one, two] = await Promise.all([place.ralph(args(meet('one', 'two'))), place.ralph(args(meet('two', 'one')), { cwd: other })]);

    expect(one.code, one.stderr).toBe(0);
    expect(two.code, two.stderr).toBe(0);
    const runs = join(place.path, '.git', 'ralph', 'runs');
    expect((await readdir(runs)).filter((name) => !name.includes('.lock')).sort()).toEqual([one.result?.run_id, two.result?.run_id].sort());
    for (const cwd of [place.path, other]) {
      const status = await place.ralph(['status', `${two.result?.run_id}`, '--json'], { cwd });
      expect(JSON.parse(status.stdout)).toMatchObject({ run_id: two.result?.run_id, done: true });
    }
  });

  it('in a bare repository, like in a folder without git', async () => {
    await using place = await openPlace();
    place.git('init', '-q', '--bare');
    const run = await place.ralph(workIn(place));

    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('without git, changes cannot be seen');
    expect(run.result?.run_folder).toContain(join(place.path, '.ralph', 'runs'));
  });

  it('in a repository without a commit', async () => {
    await using place = await openPlace();
    place.git('init', '-q');
    const run = await place.ralph(workIn(place));

    expect(run.code, run.stderr).toBe(0);
    expect(run.result).toMatchObject({ done: true });
    expect(place.git('status', '--porcelain', '--untracked-files=all')).toBe('?? seen.txt');
  });
});

describe.concurrent('a run needs', () => {
  const bare = { PATH: process.env['PATH'] ?? '', RALPH_SANDBOX: 'guard' };

  async function runAs(place: Place, env: Readonly<Record<string, string>>, before: readonly string[] = []) {
    const [file = process.execPath, ...args] = [...before, process.execPath, CLI, ...workIn(place)];
    return await runBinary({ file, args, cwd: place.path, env, stdin: '', withinMs: 60_000 });
  }

  it.each<[string, Record<string, string>]>([
    ['no HOME', bare],
    ['no value in HOME', { ...bare, HOME: '', XDG_RUNTIME_DIR: '', XDG_CACHE_HOME: '' }],
    ['no absolute path in HOME', { ...bare, HOME: 'home', XDG_RUNTIME_DIR: 'run', XDG_CACHE_HOME: 'cache' }],
  ])('%s', async (_name, env) => {
    await using place = await openGitPlace();
    const { code, stdout, stderr } = await runAs(place, env);

    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ done: true });
    expect((await readdir(place.path)).sort()).toEqual(['.git', '.ralph', 'readme.txt', 'seen.txt']);
  });

  it.skipIf(onlyForRoot('working as a user without a name'))('no user that has a name', async () => {
    await using place = await openPlace();
    for (const folder of [join(place.path, '..'), place.path, place.beside]) await chmod(folder, 0o777);
    const nobody = ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups'];
    const { code, stdout, stderr } = await runAs(place, bare, nobody);

    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ done: true });
  });

  it('no git', async () => {
    await using place = await openPlace();
    const bin = join(place.beside, 'bin');
    await mkdir(bin);
    const run = await place.ralph(workIn({ ...place, agent: place.agent.replace(/^sh/, '/bin/sh') }), { env: { PATH: bin } });

    expect(run.code, run.stderr).toBe(0);
  });
});
