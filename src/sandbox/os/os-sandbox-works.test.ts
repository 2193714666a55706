import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { addWorktree, openSandboxStage } from '../../../test/support/os-sandbox-stage.ts';

describe.skipIf(bubblewrapIsMissing())('a process in the os sandbox', () => {
  it('can commit in the project, and undo, branch, stash and tag', async () => {
    await using stage = await openSandboxStage();
    const { code, said } = await stage.inside(
      [
        'echo 1 > a',
        'git add a',
        'git commit -qm one',
        'git checkout -qb side',
        'echo 2 > a',
        'git commit -qam two',
        'git checkout -q main',
        'git branch -D side',
      ]
        .concat(['git tag v1', 'git tag -d v1', 'echo 3 > a', 'git stash -q', 'git stash pop -q', 'git reset -q --hard HEAD~1', 'git status --short'])
        .join(' && '),
    );
    expect(code, said).toBe(0);
  });

  it('can commit in a linked work tree, from a folder in it', async () => {
    await using stage = await openSandboxStage();
    const lane = await addWorktree(stage);
    await mkdir(join(lane, 'sub'));
    const { code, said } = await stage.inside('echo 1 > ../a && git add -A .. && git commit -qm one && git log --oneline', { cwd: join(lane, 'sub') });
    expect(code, said).toBe(0);
    expect(stage.repo.git('log', '--format=%s', '-1', 'lane')).toBe('one');
  });

  it('can fill caches, which are kept for the project', async () => {
    await using stage = await openSandboxStage();
    await stage.keep('.cache/host', 'of the host');
    expect(await stage.inside('mkdir -p ~/.npm/_cacache ~/.cache/pip && echo x > ~/.npm/_cacache/x && echo x > ~/.cache/pip/x')).toMatchObject({ code: 0 });
    expect((await stage.inside('cat ~/.npm/_cacache/x ~/.cache/pip/x; ls -A ~/.cache')).said).toBe('x\nx\npip\n');
    expect(existsSync(join(stage.home, '.npm/_cacache'))).toBe(false);
    expect(await readFile(join(stage.home, '.cache/host'), 'utf8')).toBe('of the host');
  });

  it('can use its own temporary folders, which are deleted afterwards', async () => {
    await using stage = await openSandboxStage();
    expect((await stage.inside('f=$(mktemp) && echo x > $f && echo $f; echo $TMPDIR; echo y > /var/tmp/y && echo z > /dev/shm/z')).said).toMatch(
      /^\/tmp\/.+\n\/tmp\n$/,
    );
    expect((await stage.inside('ls -A /tmp /var/tmp /dev/shm | grep -c "[yz]$"')).said).toBe('0\n');
  });

  it('can use the tools of the machine, and ends with their exit code', async () => {
    await using stage = await openSandboxStage();
    const { said } = await stage.inside('node -p 40+2; git --version; python3 -c "print(6*7)"; exit 3');
    expect(said).toMatch(/^42\ngit version .*\n42\n$/);
    expect(await stage.inside('exit 3')).toMatchObject({ code: 3 });
    expect(await stage.inside('kill -TERM $$')).toMatchObject({ code: 128 + 15 });
  });

  it('reports a program that cannot be started', async () => {
    await using stage = await openSandboxStage();
    expect(await stage.inside('', { file: 'no-such-agent', args: [] })).toEqual({
      code: 127,
      said: 'ralph: cannot start no-such-agent: not found in the sandbox\n',
    });
    await stage.repo.write('not-executable', 'x');
    expect(await stage.inside('', { file: join(stage.repo.path, 'not-executable'), args: [] })).toMatchObject({ code: 126 });
  });

  it('has exactly the variables of the call, including those for node, and some against checks for updates and signed commits', async () => {
    await using stage = await openSandboxStage();
    const env = { PATH: process.env['PATH'] ?? '', HOME: stage.home, NODE_OPTIONS: '--max-old-space-size=1234', MINE: 'a b\nc' };
    const { said } = await stage.inside(`node -p 'JSON.stringify(process.env)'`, { env });
    const { RALPH_MARKER: marker, PWD: _pwd, OLDPWD: _old, _: _last, SHLVL: _level, ...rest } = JSON.parse(said);
    const others = Object.entries(rest).filter(([name]) => !/^((https?|all|no)_proxy|GIT_CONFIG_.*)$/i.test(name));
    const quiet = { npm_config_update_notifier: 'false', NO_UPDATE_NOTIFIER: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' };
    expect(Object.fromEntries(others)).toEqual({ ...quiet, ...env, TMPDIR: '/tmp' });
    expect(rest).toMatchObject({ GIT_CONFIG_COUNT: '3', GIT_CONFIG_KEY_0: 'commit.gpgSign', GIT_CONFIG_VALUE_0: 'false' });
    expect(marker).toBeDefined();
  });

  it('can run a script of the operator in a temporary folder, and sees nothing beside it', async () => {
    await using stage = await openSandboxStage();
    // The stage is in another folder, so that a write beside it proves something.
    const folder = await mkdtemp('/tmp/ralph-test-');
    await writeFile(join(folder, 'agent.sh'), 'echo it runs; ls -A "$(dirname "$0")"');
    await writeFile(join(folder, 'other.txt'), '');
    const { said } = await stage.inside('', { file: '/bin/sh', args: [join(folder, 'agent.sh')] });
    await rm(folder, { recursive: true });
    expect(said.trim().split('\n')).toEqual(['it runs', 'agent.sh']);
  });

  it('can write where the operator allows it, but not what is sealed in there', async () => {
    await using stage = await openSandboxStage(({ repo }) => ({
      writable: [join(repo.path, '.ralph/task'), join(repo.beside, 'shared')],
      sealed: [join(repo.path, '.ralph/task/runs')],
    }));
    await mkdir(join(stage.repo.path, '.ralph/task/runs'), { recursive: true });
    await mkdir(join(stage.repo.beside, 'shared'));
    const { said } = await stage.inside(
      'echo x > .ralph/task/x && echo task; echo x > ../beside/shared/x && echo shared; echo x > .ralph/x && echo bad; echo x > .ralph/task/runs/x && echo bad; mv .ralph/task .ralph/t && echo bad',
    );
    expect(said).toContain('task\nshared\n');
    expect(said).not.toContain('bad');
  });
});
