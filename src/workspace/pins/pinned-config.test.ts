import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openPins, type PinsPlace } from './pinned-config.ts';

async function pinned(change: Partial<PinsPlace> = {}, before: (repo: Repo) => Promise<void> = async () => undefined) {
  const repo = await openRepo();
  await before(repo);
  const commonDir = join(repo.path, '.git');
  const place: PinsPlace = {
    ...{ commonDir, gitDir: commonDir, topLevel: repo.path, cwd: repo.path, env: gitEnv },
    ...{ runFolder: join(commonDir, 'ralph', 'runs', 'r1'), agentsReach: 'everything', ...change },
  };
  const pins = await openPins(place);
  const at = (...names: readonly string[]) => join(commonDir, ...names);
  const planted = async () => await readdir(join(place.runFolder, 'planted')).catch(() => []);
  return { repo, pins, place, at, planted, [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose]() };
}

const COMMANDS = [
  'core.fsmonitor',
  'core.hooksPath',
  'core.pager',
  'core.sshCommand',
  'core.worktree',
  'core.fileMode',
  'include.path',
  'alias.status',
  'filter.x.clean',
  'diff.x.textconv',
  'merge.x.driver',
  'credential.helper',
  'remote.evil.url',
  'branch.main.pushRemote',
  'submodule.x.update',
  'some.key-of-tomorrow',
];

describe('settings of the repository', () => {
  it.each(COMMANDS)('have no %s that was not there at the start', async (key) => {
    await using world = await pinned();
    const before = await readFile(world.at('config'), 'utf8');
    world.repo.git('config', key, 'false');
    expect(await world.pins.mend()).toEqual([world.at('config')]);
    expect(await readFile(world.at('config'), 'utf8')).toBe(before);
    expect(await world.planted()).toHaveLength(1);
    expect(await world.pins.mend()).toEqual([]);
  });

  it('keep who commits, what a branch follows and which submodules are there, whatever else is put back', async () => {
    await using world = await pinned({}, async ({ git }) => {
      git('remote', 'add', 'origin', 'https://example.com/x.git');
      git('config', 'user.name', 'Before');
    });
    const { repo, pins } = world;
    repo.git('config', 'user.name', 'After "quoted" # name');
    repo.git('config', 'branch.main.remote', 'origin');
    repo.git('config', 'branch.main.merge', 'refs/heads/main');
    repo.git('config', 'submodule.x.active', 'true');
    expect(await pins.mend()).toEqual([]);
    repo.git('config', 'remote.origin.url', 'ext::sh -c evil');
    expect(await pins.mend()).toEqual([world.at('config')]);
    expect(repo.git('config', 'remote.origin.url')).toBe('https://example.com/x.git');
    expect(repo.git('config', '--local', 'user.name')).toBe('After "quoted" # name');
    expect(repo.git('config', 'branch.main.remote')).toBe('origin');
    expect(repo.git('config', 'submodule.x.active')).toBe('true');
  });

  it('are put back when they were removed, cannot be read, or became a link', async () => {
    await using world = await pinned();
    const before = await readFile(world.at('config'), 'utf8');
    const evil = join(world.repo.beside, 'evil');
    await writeFile(evil, '[core]\n\tpager = evil\n');
    const tricks = [
      () => rm(world.at('config')),
      () => writeFile(world.at('config'), '[broken'),
      () => rm(world.at('config')).then(() => symlink(evil, world.at('config'))),
      () => rm(world.at('config')).then(() => mkdir(world.at('config'))),
    ];
    for (const trick of tricks) {
      await trick();
      expect(await world.pins.mend()).toEqual([world.at('config')]);
      expect(await readFile(world.at('config'), 'utf8')).toBe(before);
    }
    expect(await readFile(evil, 'utf8')).toContain('evil');
  });

  it('are put back although somebody left their lock lying', async () => {
    await using world = await pinned();
    world.repo.git('config', 'core.pager', 'evil');
    await writeFile(world.at('config.lock'), 'left');
    expect(await world.pins.mend()).toEqual([world.at('config')]);
    expect(world.repo.git('config', '--list')).not.toContain('evil');
  });

  it.each(['gitdir:~/x/', 'gitdir/i:repo/', 'onbranch:main'])('are read and put back where the user’s git has a file included for %s', async (condition) => {
    const folder = await openThrowAwayFolder();
    onTestFinished(() => folder[Symbol.asyncDispose]());
    const GIT_CONFIG_GLOBAL = join(folder.path, 'gitconfig');
    await writeFile(GIT_CONFIG_GLOBAL, `[includeIf "${condition}"]\n\tpath = more\n`);
    await writeFile(join(folder.path, 'more'), '[core]\n\tpager = less\n');
    await using world = await pinned({ env: { ...gitEnv, HOME: folder.path, GIT_CONFIG_GLOBAL } });
    world.repo.git('config', 'user.name', 'After');
    world.repo.git('config', 'core.pager', 'evil');
    expect(await world.pins.mend()).toEqual([world.at('config')]);
    expect(world.repo.git('config', '--local', '--get-regexp', 'user.name|core.pager')).toBe('user.name After');
  });

  it('are the same for a run that goes on: what was planted before it died is not the operator’s', async () => {
    await using world = await pinned();
    world.repo.git('config', 'core.pager', 'evil');
    expect(await (await openPins(world.place)).mend()).toEqual([world.at('config')]);
  });

  it('lose nothing that others set at the same moment, and are mended once', async () => {
    await using world = await pinned();
    world.repo.git('config', 'core.pager', 'evil');
    const all = await Promise.all([1, 2, 3, 4].map(() => world.pins.mend()));
    expect(all.flat()).toEqual([world.at('config')]);
  });
});

describe('what else git obeys', () => {
  it('is a hook, of which names, modes and bytes stay', async () => {
    await using world = await pinned({}, async ({ write }) => {
      await write('.git/hooks/pre-commit', '#!/bin/sh\ntrue\n', 0o755);
      await write('.git/hooks/pre-push', '#!/bin/sh\ntrue\n', 0o644);
    });
    await writeFile(world.at('hooks', 'pre-commit'), '#!/bin/sh\nevil\n');
    await chmod(world.at('hooks', 'pre-push'), 0o755);
    await world.repo.write('.git/hooks/post-checkout', '#!/bin/sh\nevil\n', 0o755);
    expect(await world.pins.mend()).toEqual(['post-checkout', 'pre-commit', 'pre-push'].map((name) => world.at('hooks', name)));
    expect(await readFile(world.at('hooks', 'pre-commit'), 'utf8')).toBe('#!/bin/sh\ntrue\n');
    expect(await world.planted()).toHaveLength(3);
    expect(await world.pins.mend()).toEqual([]);
  });

  it('is a folder of hooks, also when somebody moved it away and put a link in its place', async () => {
    await using world = await pinned({}, async ({ write }) => void (await write('.git/hooks/pre-commit', '#!/bin/sh\ntrue\n', 0o755)));
    await rename(world.at('hooks'), join(world.repo.beside, 'hooks'));
    await symlink(join(world.repo.beside, 'hooks'), world.at('hooks'));
    await writeFile(join(world.repo.beside, 'hooks', 'pre-commit'), 'evil');
    expect(await world.pins.mend()).toEqual([world.at('hooks')]);
    expect(await readFile(world.at('hooks', 'pre-commit'), 'utf8')).toBe('#!/bin/sh\ntrue\n');
    expect(await readFile(join(world.repo.beside, 'hooks', 'pre-commit'), 'utf8')).toBe('evil');
  });

  it('are attributes, and a folder that makes another one the common one', async () => {
    await using world = await pinned();
    await world.repo.write('.git/info/attributes', '* filter=x\n');
    await world.repo.write('.git/commondir', world.repo.beside);
    await world.repo.write('.git/config.worktree', '[core]\n\tpager = evil\n');
    expect(await world.pins.mend()).toEqual(['commondir', 'config.worktree', 'info/attributes'].map((name) => world.at(name)));
    expect(world.repo.git('status', '--porcelain')).toBe('');
  });

  it('is the folder of attributes', async () => {
    await using world = await pinned();
    await rename(world.at('info'), join(world.repo.beside, 'info'));
    await writeFile(join(world.repo.beside, 'info', 'attributes'), '* filter=x\n');
    await symlink(join(world.repo.beside, 'info'), world.at('info'));
    expect(await world.pins.mend()).toEqual([world.at('info')]);
    expect(await readdir(world.at('info'))).toEqual([]);
  });

  it('is a repository between where one stands and the top', async () => {
    await using repo = await openRepo({ 'a/b/c.txt': 'c\n' });
    const commonDir = join(repo.path, '.git');
    const cwd = join(repo.path, 'a', 'b');
    const pins = await openPins({
      commonDir,
      gitDir: commonDir,
      topLevel: repo.path,
      cwd,
      env: gitEnv,
      runFolder: join(commonDir, 'r'),
      agentsReach: 'new-files',
    });
    repo.git('init', '-q', cwd);
    expect(await pins.mend()).toEqual([join(cwd, '.git')]);
  });

  it('is what leads from a worktree to its repository, also of one made later', async () => {
    await using world = await pinned();
    const { repo, pins } = world;
    const path = join(repo.beside, 'tree');
    repo.git('worktree', 'add', '-q', path);
    expect(await pins.mend()).toEqual([]);
    repo.git('init', '-q', '--bare', join(repo.beside, 'evil'));
    await writeFile(world.at('worktrees', 'tree', 'commondir'), join(repo.beside, 'evil'));
    await writeFile(world.at('worktrees', 'tree', 'config.worktree'), '[core]\n\tpager = evil\n\tsparseCheckout = true\n');
    expect(await pins.mend()).toEqual(['commondir', 'config.worktree'].map((name) => world.at('worktrees', 'tree', name)));
    expect(repo.git('-C', path, 'rev-parse', '--git-common-dir')).toBe(world.at());
    expect(await readFile(world.at('worktrees', 'tree', 'config.worktree'), 'utf8')).toMatch(/^\[core\]\n\tsparsecheckout = true\n$/i);
  });

  it.each([
    ['is removed', ''],
    ['has lost its settings already', '/config.worktree'],
  ])('is nothing of a worktree that %s while it is looked at', async (_what, part) => {
    const world = await pinned();
    onTestFinished(() => world[Symbol.asyncDispose]());
    const { repo } = world;
    repo.git('worktree', 'add', '-q', join(repo.beside, 'tree'));
    await writeFile(world.at('worktrees', 'tree', 'config.worktree'), '[core]\n\tsparseCheckout = true\n');
    const removes = `#!/bin/sh\ncase "$*" in *config.worktree*) rm -rf ${world.at('worktrees', 'tree')}${part};; esac\nPATH="$OLD_PATH" exec git "$@"\n`;
    await writeFile(join(repo.beside, 'git'), removes, { mode: 0o755 });
    const env = { ...gitEnv, PATH: `${repo.beside}:${gitEnv.PATH}`, OLD_PATH: gitEnv.PATH };
    const pins = await openPins({ ...world.place, env });
    expect(await pins.mend()).toEqual([]);
    expect(await world.planted()).toEqual([]);
  });

  it('is the file in the place of .git where the run has a worktree of its own', async () => {
    await using world = await pinned();
    const top = join(world.repo.beside, 'tree');
    world.repo.git('worktree', 'add', '-q', top);
    const own = { gitDir: world.at('worktrees', 'tree'), topLevel: top, cwd: top, runFolder: join(world.repo.beside, 'run') };
    const pins = await openPins({ ...world.place, ...own });
    const before = await readFile(join(top, '.git'), 'utf8');
    await writeFile(join(top, '.git'), 'gitdir: /elsewhere\n');
    expect(await pins.mend()).toEqual([join(top, '.git')]);
    expect(await readFile(join(top, '.git'), 'utf8')).toBe(before);
  });
});

describe('behind a wall that keeps what is there', () => {
  it('what the operator changes stays, and what was not there is put back all the same', async () => {
    await using world = await pinned({ agentsReach: 'new-files' });
    world.repo.git('config', 'core.editor', 'vim');
    await world.repo.write('.git/hooks/pre-commit', 'true', 0o755);
    await world.repo.write('.git/commondir', world.repo.beside);
    expect(await world.pins.mend()).toEqual([world.at('commondir')]);
    expect(world.repo.git('config', 'core.editor')).toBe('vim');
  });
});

it('a repository that is no longer there is told, and nothing is done about it', async () => {
  await using world = await pinned();
  await rename(world.at(), join(world.repo.path, '.git2'));
  await symlink(join(world.repo.path, '.git2'), world.at());
  await expect(world.pins.mend()).rejects.toThrow('no longer the folder it was');
});
