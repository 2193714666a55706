import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepo } from '../../../test/support/repo.ts';
import { type BranchStage, expectKind, openBranchStage, opened, PLAN, PLAN_SPECS, settled } from '../../../test/support/task-branches-stage.ts';
import type { OpenedBranch } from '../../engine/ports/task-branches.ts';

type Files = Readonly<Record<string, string | null>>;

async function withWork(stage: BranchStage): Promise<{ task: OpenedBranch; work: string }> {
  const task = await opened(stage.branches, 'ralph/a.1');
  await stage.put(task.path, { 'work.txt': 'work\n' });
  stage.at(task.path, 'add', '-A');
  stage.at(task.path, 'commit', '-qm', 'work');
  return { task, work: stage.at(task.path, 'rev-parse', 'HEAD') };
}

const settle = (stage: BranchStage, { path, base }: OpenedBranch) => stage.branches.settle(path, { message: 'm', base, pathspecs: PLAN_SPECS });

describe('what an agent leaves is committed', () => {
  it('with deleted, renamed, executable and linked files, without hooks and ignored files', async () => {
    await using stage = await openBranchStage({ 'old.txt': 'old\n', 'gone.txt': 'gone\n', '.gitignore': 'build/\n' });
    await stage.repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755);
    stage.repo.git('config', 'commit.gpgSign', 'true');
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'gone.txt': null, 'old.txt': null, 'new.txt': 'old\n', 'run.sh': '#!/bin/sh\n', 'build/x': 'x\n', 'ä ö/ü.txt': 'ü\n' });
    await chmod(join(task.path, 'run.sh'), 0o755);
    await symlink('new.txt', join(task.path, 'link'));
    const { head } = await settled(stage.branches, task);
    expect(stage.repo.git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', head).split('\n')).toEqual([
      '.gitignore',
      'link',
      'new.txt',
      'run.sh',
      'ä ö/ü.txt',
    ]);
    expect(stage.at(task.path, 'status', '--porcelain')).toBe('');
  });

  it('and so are the files of nested repositories, which are then none any more', async () => {
    await using stage = await openBranchStage();
    const task = await opened(stage.branches, 'ralph/a.1');
    const make = [
      'mkdir -p one/deep two three && (cd one && git init -q) && (cd one/deep && git init -q && echo a > a && git add a && git commit -qm inside)',
      '(cd two && echo b > b && git init -q --separate-git-dir=../../elsewhere) && (cd three && echo c > c && git init -q && mv .git ../../linked && ln -s ../../linked .git)',
    ];
    execFileSync('sh', ['-c', make.join(' && ')], { cwd: task.path });
    const { head } = await settled(stage.branches, task);
    expect(['one/deep/a', 'two/b', 'three/c'].map((file) => stage.inCommit(head, file))).toEqual(['a\n', 'b\n', 'c\n']);
    expect(['one', 'one/deep', 'two', 'three'].filter((folder) => existsSync(join(task.path, folder, '.git')))).toEqual([]);
    expect(existsSync(join(stage.root, 'linked/HEAD'))).toBe(true);
  });

  it("in Ralph's name if git knows no author", async () => {
    await using stage = await openBranchStage();
    for (const key of ['user.name', 'user.email']) stage.repo.git('config', '--unset', key);
    stage.repo.git('config', 'user.useConfigOnly', 'true');
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'new.txt': 'new\n' });
    const { head } = await settled(stage.branches, task);
    expect(stage.repo.git('log', '-1', '--format=%an', head)).toBe('ralph');
  });

  it('only if something has changed', async () => {
    await using stage = await openBranchStage();
    const task = await opened(stage.branches, 'ralph/a.1');
    expect(await settled(stage.branches, task)).toMatchObject({ head: task.base, changed: false });
    await stage.put(task.path, { [PLAN]: 'a: complete\n' });
    expect(await settled(stage.branches, task)).toMatchObject({ changed: false });
  });
});

describe('what an agent has committed is found', () => {
  const tricks: Readonly<Record<string, (at: (...words: readonly string[]) => string) => void>> = {
    'on a branch that it switched to': (at) => at('checkout', '-q', '-b', 'elsewhere'),
    'on a detached HEAD': (at) => at('checkout', '-q', '--detach'),
    'after it deleted its branch': (at) => {
      at('checkout', '-q', '--detach');
      at('branch', '-q', '-D', 'ralph/a.1');
    },
    'in the middle of a rebase': (at) => {
      at('-c', 'sequence.editor=echo break >>', 'rebase', '-q', '-i', '--root', 'HEAD');
    },
  };
  it.each(Object.entries(tricks))('%s', async (_, trick) => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    trick((...words) => stage.at(task.path, ...words));
    await stage.put(task.path, { 'more.txt': 'more\n' });
    stage.at(task.path, 'add', '-A');
    stage.at(task.path, 'commit', '-qm', 'more');
    await stage.put(task.path, { 'left.txt': 'left\n' });
    const { head } = await settled(stage.branches, task);
    expect(['work.txt', 'more.txt', 'left.txt'].map((file) => stage.inCommit(head, file))).toEqual(['work\n', 'more\n', 'left\n']);
    expect(stage.repo.git('rev-parse', 'ralph/a.1')).toBe(head);
    expect(stage.at(task.path, 'status').split('\n')).toEqual(['On branch ralph/a.1', 'nothing to commit, working tree clean']);
  });

  it('if HEAD names a missing commit', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    stage.at(task.path, 'update-ref', '-d', 'refs/heads/ralph/a.1');
    await stage.put(task.path, { 'left.txt': 'left\n' });
    const { head } = await settled(stage.branches, task);
    expect(['work.txt', 'left.txt'].map((file) => stage.inCommit(head, file))).toEqual(['work\n', 'left\n']);
  });

  it('if the folder is gone: the committed files come back', async () => {
    await using stage = await openBranchStage();
    const { task, work } = await withWork(stage);
    stage.at(task.path, 'checkout', '-q', '--detach');
    await rm(task.path, { recursive: true });
    expect(await settled(stage.branches, task)).toMatchObject({ head: work });
    expect(existsSync(join(task.path, 'work.txt'))).toBe(true);
    stage.repo.git('worktree', 'remove', '--force', task.path);
    expect(await settled(stage.branches, task)).toMatchObject({ head: work });
    expect(stage.at(task.path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('ralph/a.1');
  });

  it('if the agent made its own repository of the worktree, or removed its .git', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    await rm(join(task.path, '.git'));
    await stage.put(task.path, { 'left.txt': 'left\n' });
    const first = await settled(stage.branches, task);
    expect(stage.inCommit(first.head, 'left.txt')).toBe('left\n');
    await rm(join(task.path, '.git'));
    execFileSync('git', ['init', '-q', task.path]);
    await stage.put(task.path, { 'again.txt': 'again\n' });
    const second = await settled(stage.branches, task);
    expect(stage.repo.git('ls-tree', '--name-only', second.head).split('\n')).toEqual(['again.txt', 'left.txt', PLAN, 'readme.txt', 'work.txt']);
  });

  it('if the index is broken', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    await writeFile(join(stage.repo.path, '.git/worktrees/a.1/index'), 'rubbish');
    await stage.put(task.path, { 'left.txt': 'left\n' });
    const { head } = await settled(stage.branches, task);
    expect(['work.txt', 'left.txt'].map((file) => stage.inCommit(head, file))).toEqual(['work\n', 'left\n']);
  });

  it('after a reset only as far as HEAD has it', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    stage.at(task.path, 'reset', '-q', '--hard', task.base);
    expect(await settled(stage.branches, task)).toMatchObject({ head: task.base, changed: false });
  });
});

describe('a failed settlement is reported in one line', () => {
  async function inConflict(stage: BranchStage): Promise<OpenedBranch> {
    const { task } = await withWork(stage);
    await stage.put(task.path, { 'readme.txt': 'mine\n' });
    await settled(stage.branches, task);
    await stage.repo.write('readme.txt', 'theirs\n');
    stage.repo.git('commit', '-qam', 'by a person');
    const brought = await stage.branches.bringBase(task.path);
    expect(brought).toEqual({ kind: 'brought', base: stage.repo.git('rev-parse', 'main'), conflicts: ['readme.txt'] });
    return task;
  }

  it('for a merge with conflicts, until they are resolved, with or without `git add`', async () => {
    await using stage = await openBranchStage();
    const task = await inConflict(stage);
    expect(await settle(stage, task)).toEqual({ kind: 'trouble', why: 'conflicts are not resolved: readme.txt' });
    await stage.put(task.path, { 'readme.txt': 'mine\n' });
    expect(await settle(stage, task)).toEqual({ kind: 'trouble', why: 'conflicts are not resolved: readme.txt' });
    await stage.put(task.path, { 'readme.txt': 'both\n' });
    const { head } = await settled(stage.branches, task);
    expect(stage.inCommit(head, 'readme.txt')).toBe('both\n');
    expect(stage.repo.git('rev-list', '--parents', '-1', head).split(' ')[2]).toBe(stage.repo.git('rev-parse', 'main'));
  });

  it('but a chosen and added side counts as resolved', async () => {
    await using stage = await openBranchStage();
    const task = await inConflict(stage);
    stage.at(task.path, 'checkout', '--ours', '--', 'readme.txt');
    stage.at(task.path, 'add', 'readme.txt');
    const { head } = await settled(stage.branches, task);
    expect(stage.inCommit(head, 'readme.txt')).toBe('mine\n');
  });

  it.each<[string, string, Files]>([
    ['at once', 'app', { 'app/HEAD': 'ref: refs/heads/main\n', 'app/objects/x': 'x\n', 'app/refs/x': 'x\n' }],
    ['of files that may be run', 'app', { 'app/HEAD': 'ref: refs/heads/main\n', 'app/objects': 'x\n', 'app/refs': 'x\n' }],
    ['in parts, of which the first is on the branch', 'app', { 'app/Objects/x': 'x\n', 'app/refs/x': 'x\n' }],
    ['in two places', ' app', { ' app/HEAD': 'ref: refs/heads/main\n', ' app/commondir': '../all\n', 'all/objects/x': 'x\n' }],
    ['in a folder whose name is not text', 'a\uFFFD', { 'one.txt': '1\n' }],
  ])('for a repository under another name, made %s, until it is gone', async (_how, folder, files) => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    await stage.put(task.path, { 'app/HEAD': 'ref: refs/heads/main\n' });
    if (_how.startsWith('in parts')) await settled(stage.branches, task);
    else await stage.put(task.path, { 'app/HEAD': null });
    await stage.put(task.path, files);
    const unnamed =
      folder === 'a\uFFFD' ? 'for part in HEAD objects refs; do mkdir -p "$(printf "a\\377")"; echo x > "$(printf "a\\377")/$part"; done' : 'true';
    execFileSync('sh', ['-c', unnamed], { cwd: task.path });
    const why = `${folder.trim()} has HEAD, objects and refs: git would take it for a repository and obey its settings, so it cannot be committed: remove it, or rename one of the three`;
    for (const _time of [1, 2]) expect(await settle(stage, task)).toEqual({ kind: 'trouble', why });
    execFileSync('sh', ['-c', 'rm -rf app/refs " app/commondir" a?'], { cwd: task.path });
    await settled(stage.branches, task);
    expect(stage.at(task.path, 'status', '--porcelain')).toBe('');
  });

  it('for changes in a submodule, but not for build files there', async () => {
    await using library = await openRepo();
    await using stage = await openBranchStage();
    stage.repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib');
    stage.repo.git('commit', '-qm', 'with a library');
    const { task } = await withWork(stage);
    stage.at(task.path, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    await stage.put(task.path, { 'lib/built.o': 'built\n' });
    const { head } = await settled(stage.branches, task);
    expect(stage.repo.git('rev-parse', `${head}:lib`)).toBe(library.git('rev-parse', 'HEAD'));
    await stage.put(task.path, { 'lib/readme.txt': 'changed\n' });
    expect(await settle(stage, task)).toEqual({ kind: 'trouble', why: 'what was changed in the submodule lib is not committed there' });
  });

  it('for a missing base, and for a worktree that git has forgotten', async () => {
    await using stage = await openBranchStage();
    const { task } = await withWork(stage);
    expect(await stage.branches.settle(task.path, { message: 'm', base: 'no-such', pathspecs: [] })).toMatchObject({ kind: 'trouble' });
    await rm(join(stage.repo.path, '.git/worktrees/a.1'), { recursive: true });
    expect(await settle(stage, task)).toEqual({ kind: 'trouble', why: `git no longer knows the worktree ${task.path}` });
  });
});

describe('a protected file of a task', () => {
  const protect = { patterns: ['tests/**'], keptRef: 'refs/ralph/kept/run-1/1.1' };
  const files = { 'tests/a.txt': 'a\n', 'src/x.txt': 'x\n', [PLAN]: 'a: pending\n' };
  const settleProtected = async (stage: BranchStage, { path, base }: OpenedBranch, patterns = protect.patterns) =>
    expectKind(await stage.branches.settle(path, { message: 'm', base, pathspecs: PLAN_SPECS, protect: { ...protect, patterns } }), 'settled');

  it.each([
    ['uncommitted', async () => undefined],
    ['committed', async (stage: BranchStage, path: string) => void stage.at(path, 'commit', '-qam', 'cheated')],
    ['hidden from git', async (stage: BranchStage, path: string) => void stage.at(path, 'update-index', '--skip-worktree', 'tests/a.txt')],
  ])('is reverted if its change is %s, and everything else stays', async (_name, then) => {
    await using stage = await openBranchStage(files);
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'tests/a.txt': 'evil\n', 'tests/new.txt': 'evil\n', 'src/x.txt': 'worked\n' });
    await then(stage, task.path);
    const { head, restored } = await settleProtected(stage, task);
    expect(restored).toEqual(['tests/a.txt', 'tests/new.txt']);
    expect(stage.inCommit(head, 'tests/a.txt')).toBe('a\n');
    expect(stage.inCommit(head, 'tests/new.txt')).toBeNull();
    expect(stage.inCommit(head, 'src/x.txt')).toBe('worked\n');
    expect(stage.repo.git('show', `${protect.keptRef}:tests/a.txt`)).toBe('evil');
    expect(existsSync(join(task.path, 'tests/new.txt'))).toBe(false);
    expect(await settleProtected(stage, task)).toMatchObject({ head, restored: [] });
  });

  it('is not the plan, which an agent may edit', async () => {
    await using stage = await openBranchStage(files);
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { [PLAN]: 'a: complete\n' });
    expect(await settleProtected(stage, task, ['**'])).toMatchObject({ restored: [] });
  });

  it('may be changed by the operator meanwhile, and the agent is not blamed', async () => {
    await using stage = await openBranchStage(files);
    const task = await opened(stage.branches, 'ralph/a.1');
    await stage.put(task.path, { 'src/x.txt': 'worked\n' });
    await settleProtected(stage, task);
    await stage.repo.write('tests/a.txt', 'better\n');
    stage.repo.git('commit', '-qam', 'better');
    expectKind(await stage.branches.bringBase(task.path), 'brought');
    const { head, restored } = await settleProtected(stage, task);
    expect(restored).toEqual([]);
    expect(stage.inCommit(head, 'tests/a.txt')).toBe('better\n');
  });
});
