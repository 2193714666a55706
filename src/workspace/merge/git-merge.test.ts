import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type BranchStage,
  expectKind,
  filesOf,
  landed,
  never,
  openBranchStage,
  opened,
  PLAN,
  PLAN_SPECS,
  settled,
} from '../../../test/support/task-branches-stage.ts';
import type { Merging } from '../../engine/ports/task-branches.ts';

type Files = Readonly<Record<string, string | null>>;

async function branchWith(stage: BranchStage, name: string, files: Files): Promise<{ path: string; head: string }> {
  const task = await opened(stage.branches, `ralph/${name}.1`);
  await stage.put(task.path, files);
  return { path: task.path, head: (await settled(stage.branches, task)).head };
}

const merging = async (stage: BranchStage, head: string): Promise<Merging> =>
  expectKind(await stage.branches.merge({ head, pathspecs: PLAN_SPECS }, never), 'merging');

describe('a result is merged', () => {
  it('with the work of the others, and keeps the plan of the base', async () => {
    await using stage = await openBranchStage();
    const [one, two] = [await branchWith(stage, 'a', { 'one.txt': '1\n' }), await branchWith(stage, 'b', { 'two.txt': '2\n' })];
    await landed(stage.branches, one.head, 'a: complete\nb: pending\n', 'a');
    const second = await merging(stage, two.head);
    const { path, cwd } = await filesOf(second);
    expect(second.tree).toBe(stage.at(path, 'write-tree'));
    expect(['one.txt', 'two.txt', PLAN].map((file) => stage.inCommit(second.tree, file))).toEqual(['1\n', '2\n', 'a: complete\nb: pending\n']);
    expect(await readFile(join(cwd, 'one.txt'), 'utf8')).toBe('1\n');
  });

  it.each<[string, Files]>([
    ['deletes', { [PLAN]: null }],
    ['rewrites', { [PLAN]: 'a: mine\n' }],
    ['makes a folder of', { [PLAN]: null, [`${PLAN}/x`]: 'x\n' }],
  ])('if its branch %s the plan, which is left out', async (_, files) => {
    await using stage = await openBranchStage();
    const task = await opened(stage.branches, 'ralph/b.1');
    await stage.put(task.path, { 'two.txt': '2\n', ...files });
    stage.at(task.path, 'add', '-A');
    stage.at(task.path, 'commit', '-qm', 'with the plan');
    await landed(stage.branches, (await branchWith(stage, 'a', { 'one.txt': '1\n' })).head, 'a: complete\nb: pending\n', 'a');
    const second = await merging(stage, stage.repo.git('rev-parse', 'ralph/b.1'));
    expect([stage.inCommit(second.tree, PLAN), stage.inCommit(second.tree, 'two.txt')]).toEqual(['a: complete\nb: pending\n', '2\n']);
    expect(await readFile(join(second.planFolder, PLAN), 'utf8')).toBe('a: complete\nb: pending\n');
  });

  it('and lands without what gates have left, staged, committed or not, but with the current plan', async () => {
    await using stage = await openBranchStage();
    const { head } = await branchWith(stage, 'a', { 'one.txt': '1\n' });
    const first = await merging(stage, head);
    const { path } = await filesOf(first);
    await stage.put(path, { 'junk.txt': 'junk\n', 'one.txt': 'spoiled\n', 'readme.txt': null, [PLAN]: 'all: complete\n' });
    stage.at(path, 'add', '-A');
    stage.at(path, 'commit', '-qm', 'by a gate');
    await stage.put(first.planFolder, { [PLAN]: 'a: complete\n' });
    const landing = expectKind(await first.land({ task: 'a', n: 1, message: 'm', pathspecs: PLAN_SPECS }), 'landed');
    expect(stage.repo.git('ls-tree', '--name-only', landing.commit).split('\n')).toEqual(['one.txt', PLAN, 'readme.txt']);
    expect([stage.inCommit(landing.commit, 'one.txt'), stage.inCommit(landing.commit, PLAN)]).toEqual(['1\n', 'a: complete\n']);
    const next = await merging(stage, (await branchWith(stage, 'b', { 'two.txt': '2\n' })).head);
    expect([(await filesOf(next)).path, stage.at(path, 'status', '--porcelain'), stage.at(path, 'rev-parse', 'HEAD^{tree}')]).toEqual([path, '', next.tree]);
  });

  it('even if it is empty: then only the plan changes', async () => {
    await using stage = await openBranchStage();
    const { head } = await branchWith(stage, 'a', {});
    const commit = await landed(stage.branches, head, 'a: complete\n');
    expect(stage.repo.git('rev-list', '--parents', '-1', commit).split(' ').slice(1)).toEqual([head]);
    expect(stage.inCommit(commit, PLAN)).toBe('a: complete\n');
  });

  it('in a worktree that is set up once, whose ignored files no gate changes for the next, and is made again if a gate ruined it', async () => {
    await using stage = await openBranchStage({ '.gitignore': 'deps/\n.cache\nlink\n.env\n', [PLAN]: 'a: pending\n' });
    let times = 0;
    const furnish = async ({ path }: { path: string }) => {
      times += Number(path.includes('.merge-'));
      await stage.put(path, { 'deps/bin/judge': 'red\n', 'sub/deps/x': 'x\n', '.env': 'KEY=1\n' });
      await symlink('deps', join(path, 'link'));
      return null;
    };
    const branches = stage.again({ furnish });
    const task = await opened(branches, 'ralph/a.1');
    await stage.put(task.path, { 'one.txt': '1\n' });
    const { head } = await settled(branches, task);
    const merge = async () => expectKind(await branches.merge({ head, pathspecs: [] }, never), 'merging');
    const { path } = await filesOf(await merge());
    stage.at(path, 'checkout', '-q', '-f', '-b', 'by-a-gate');
    await stage.put(path, { junk: '', 'deps/bin/judge': 'green\n', 'deps/bin/more': '', '.cache/verdict': 'green\n', '.env': null, 'sub/deps': null });
    await rm(join(path, 'link'));
    await symlink(stage.repo.beside, join(path, 'link'));
    expect(stage.inCommit((await merge()).tree, 'junk')).toBeNull();
    await filesOf(await merge());
    expect([times, ...['junk', 'deps/bin/more', '.cache', 'sub/deps/x'].map((name) => existsSync(join(path, name)))]).toEqual([1, false, false, false, true]);
    expect(['deps/bin/judge', 'link/bin/judge', '.env'].map((name) => readFileSync(join(path, name), 'utf8'))).toEqual(['red\n', 'red\n', 'KEY=1\n']);
    expect(stage.repo.git('rev-parse', 'by-a-gate^1')).toBe(task.base);
    await rm(path, { recursive: true });
    await filesOf(await merge());
    expect(await readFile(join(path, 'one.txt'), 'utf8')).toBe('1\n');
    expect(times).toBe(2);
    await branches[Symbol.asyncDispose]();
    expect(existsSync(path)).toBe(false);
  });

  it('with merge drivers and attributes, and rerere resolves known conflicts', async () => {
    await using stage = await openBranchStage({
      '.gitattributes': 'log.txt merge=union\n',
      'log.txt': 'start\n',
      'deep/.gitattributes': 'own.txt merge=both\n',
      'deep/own.txt': 'start\n',
      'both.txt': 'start\n',
    });
    stage.repo.git('config', 'rerere.enabled', 'true');
    stage.repo.git('config', 'merge.both.driver', 'tail -n 1 %B >>%A');
    const one = await branchWith(stage, 'a', { 'log.txt': 'start\none\n', 'deep/own.txt': 'start\none\n', 'both.txt': 'one\n' });
    const two = await branchWith(stage, 'b', { 'log.txt': 'start\ntwo\n', 'deep/own.txt': 'start\ntwo\n', 'both.txt': 'two\n' });
    await landed(stage.branches, one.head, 'a\n', 'a');
    expect(await stage.branches.merge({ head: two.head, pathspecs: [] }, never)).toMatchObject({ kind: 'conflict', paths: ['both.txt'] });
    await stage.branches.bringBase(two.path);
    await stage.put(two.path, { 'both.txt': 'one and two\n' });
    stage.at(two.path, 'add', '-A');
    stage.at(two.path, 'commit', '-qm', 'resolved');
    stage.at(two.path, 'reset', '-q', '--hard', two.head);
    expect(await stage.branches.bringBase(two.path)).toMatchObject({ conflicts: [] });
    const { head } = await settled(stage.branches, { path: two.path, base: 'refs/ralph/base/main' });
    const { tree } = await merging(stage, head);
    const files = ['log.txt', 'deep/own.txt', 'both.txt'].map((file) => stage.inCommit(tree, file));
    expect(files).toEqual(['start\ntwo\none\n', 'start\ntwo\none\n', 'one and two\n']);
  });

  it('and kept for people to see if it is not taken', async () => {
    await using stage = await openBranchStage();
    const { head } = await branchWith(stage, 'a', { 'one.txt': '1\n' });
    const first = await merging(stage, head);
    expect(await first.keep('refs/ralph/kept/run-1/1-merge')).toBeNull();
    expect(stage.repo.git('rev-parse', 'refs/ralph/kept/run-1/1-merge^{tree}', 'refs/ralph/kept/run-1/1-merge^2').split('\n')).toEqual([first.tree, head]);
    expect(await first.keep('no ref at all')).toMatchObject({ kind: 'trouble' });
  });
});

it.each(['app', ':x', 'a*'])('two results that only together are a repository called %s are not merged', async (name) => {
  await using stage = await openBranchStage();
  const [one, two] = [
    await branchWith(stage, 'a', { [`${name}/HEAD`]: 'ref: refs/heads/main\n', [`${name}/config`]: 'x\n' }),
    await branchWith(stage, 'b', { [`${name}/objects/x`]: 'x\n', [`${name}/refs/x`]: 'x\n' }),
  ];
  await landed(stage.branches, one.head, 'a: complete\nb: pending\n', 'a');
  expect(await stage.branches.merge({ head: two.head, pathspecs: PLAN_SPECS }, never)).toMatchObject({
    kind: 'trouble',
    why: expect.stringContaining(`${name} has HEAD, objects and refs`),
  });
});

it('folders called head, objects and refs are merged: in a repository HEAD is a file', async () => {
  await using stage = await openBranchStage();
  const [one, two] = [
    await branchWith(stage, 'a', { 'src/head/a.ts': 'a\n', 'src/objects/b.ts': 'b\n' }),
    await branchWith(stage, 'b', { 'src/refs/c.ts': 'c\n', 'src/commondir/d.ts': 'd\n' }),
  ];
  await landed(stage.branches, one.head, 'a: complete\nb: pending\n', 'a');
  await merging(stage, two.head);
});

describe('a merge conflict', () => {
  it.each<[string, Files, Files, readonly string[]]>([
    ['in a file', { 'readme.txt': 'one\n' }, { 'readme.txt': 'two\n' }, ['readme.txt']],
    ['of a file and its deletion', { 'readme.txt': null }, { 'readme.txt': 'two\n' }, ['readme.txt']],
    ['of two new files', { 'new.txt': 'one\n' }, { 'new.txt': 'two\n' }, ['new.txt']],
    ['of a file and a folder', { new: 'one\n' }, { 'new/file.txt': 'two\n' }, ['new']],
  ])('%s is reported, and the next result starts from a clean base', async (_, ones, twos, paths) => {
    await using stage = await openBranchStage();
    const [one, two] = [await branchWith(stage, 'a', ones), await branchWith(stage, 'b', twos)];
    const three = await branchWith(stage, 'c', { 'three.txt': '3\n' });
    const commit = await landed(stage.branches, one.head, 'a: complete\n', 'a');
    expect(await stage.branches.merge({ head: two.head, pathspecs: PLAN_SPECS }, never)).toMatchObject({ kind: 'conflict', paths });
    expect(stage.repo.git('rev-parse', 'refs/ralph/base/main')).toBe(commit);
    const third = await merging(stage, three.head);
    expect(stage.inCommit(third.tree, 'three.txt')).toBe('3\n');
    expect(stage.repo.git('rev-parse', 'ralph/b.1')).toBe(two.head);
  });

  it('that an agent has resolved is merged', async () => {
    await using stage = await openBranchStage();
    const [one, two] = [await branchWith(stage, 'a', { 'readme.txt': 'one\n' }), await branchWith(stage, 'b', { 'readme.txt': 'two\n' })];
    await landed(stage.branches, one.head, 'a: complete\nb: pending\n', 'a');
    const brought = await stage.branches.bringBase(two.path);
    expect(brought).toMatchObject({ kind: 'brought', conflicts: ['readme.txt'] });
    expect(await stage.branches.bringBase(two.path)).toEqual(brought);
    await stage.put(two.path, { 'readme.txt': 'one and two\n' });
    const { head } = await settled(stage.branches, { path: two.path, base: expectKind(brought, 'brought').base as string });
    const commit = await landed(stage.branches, head, 'a: complete\nb: complete\n', 'b');
    expect([stage.inCommit(commit, 'readme.txt'), stage.inCommit(commit, PLAN)]).toEqual(['one and two\n', 'a: complete\nb: complete\n']);
  });
});

describe('the base moves once for a result', () => {
  it('even if it is landed again, by any process', async () => {
    await using stage = await openBranchStage();
    const { head } = await branchWith(stage, 'a', { 'one.txt': '1\n' });
    const commit = await landed(stage.branches, head, 'a: complete\n');
    const again = expectKind(await stage.again().merge({ head, pathspecs: [] }, never), 'merging');
    expect(await again.land({ task: 'a', n: 1, message: 'again', pathspecs: [] })).toEqual({ kind: 'landed', commit });
    expect(stage.repo.git('rev-parse', 'refs/ralph/base/main')).toBe(commit);
  });

  it('and an ignored or missing plan stays out of the history', async () => {
    await using stage = await openBranchStage({ '.gitignore': `${PLAN}\n` });
    const { head } = await branchWith(stage, 'a', { 'one.txt': '1\n' });
    const commit = await landed(stage.branches, head, 'a: complete\n');
    expect(stage.repo.git('ls-tree', '--name-only', commit).split('\n')).toEqual(['.gitignore', 'one.txt']);
    const next = await merging(stage, head);
    expect(await next.land({ task: 'b', n: 1, message: 'm', pathspecs: [':(top,glob)none.yaml'] })).toMatchObject({ kind: 'landed' });
  });

  it('and the merge worktrees of dead runs are removed', async () => {
    await using stage = await openBranchStage();
    const { head } = await branchWith(stage, 'a', { 'one.txt': '1\n' });
    const dead = await filesOf(expectKind(await stage.again({ run: 'run-0' }).merge({ head, pathspecs: [] }, never), 'merging'));
    const locked = join(stage.repo.path, '.git/worktrees/-merge-run-0/locked');
    await writeFile(locked, (await readFile(locked, 'utf8')).replace(/"pid":\d+/, '"pid":2147483647'));
    await filesOf(await merging(stage, head));
    expect(existsSync(dead.path)).toBe(false);
    expect(stage.repo.git('worktree', 'list')).not.toContain('run-0');
  });
});
