import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BranchStage, expectKind, landed, never, openBranchStage, opened, PLAN_SPECS, settled } from '../../../test/support/task-branches-stage.ts';
import type { Merging } from '../../engine/ports/task-branches.ts';

type Files = Readonly<Record<string, string | null>>;

async function branchWith(stage: BranchStage, name: string, files: Files): Promise<{ path: string; head: string }> {
  const task = await opened(stage.branches, `ralph/${name}.1`);
  await stage.put(task.path, files);
  return { path: task.path, head: (await settled(stage.branches, task)).head };
}

const merging = async (stage: BranchStage, head: string): Promise<Merging> =>
  expectKind(await stage.branches.merge({ head, pathspecs: PLAN_SPECS }, never), 'merging');

async function personCommits(stage: BranchStage, files: Files): Promise<string> {
  await stage.put(stage.repo.path, files);
  stage.repo.git('add', '-A');
  stage.repo.git('commit', '-qm', 'by a person');
  return stage.repo.git('rev-parse', 'HEAD');
}

describe('a person who commits meanwhile', () => {
  it('is merged with the result before the merge, and moves the base after it', async () => {
    await using stage = await openBranchStage();
    const { head } = await branchWith(stage, 'a', { 'one.txt': '1\n' });
    const first = await personCommits(stage, { 'person.txt': 'p\n' });
    const early = await merging(stage, head);
    expect(stage.inCommit(early.tree, 'person.txt')).toBe('p\n');
    const second = await personCommits(stage, { 'person2.txt': 'p\n' });
    await opened(stage.branches, 'ralph/b.1');
    expect(stage.repo.git('rev-parse', 'refs/ralph/base/main')).toBe(second);
    expect(await early.land({ task: 'a', n: 1, message: 'm', pathspecs: [] })).toEqual({ kind: 'moved' });
    expect(await stage.branches.merged('a', 1)).toBeNull();
    expect(first).not.toBe(second);
    await landed(stage.branches, head, 'a: complete\n');
    expect(await stage.branches.follow()).toBeNull();
    expect(existsSync(join(stage.repo.path, 'person2.txt'))).toBe(true);
  });

  it('beside results that could not follow is merged with the next result', async () => {
    await using stage = await openBranchStage();
    const [one, two] = [await branchWith(stage, 'a', { 'one.txt': '1\n' }), await branchWith(stage, 'b', { 'two.txt': '2\n' })];
    await landed(stage.branches, one.head, 'a: complete\n', 'a');
    const person = await personCommits(stage, { 'person.txt': 'p\n' });
    expect(await stage.branches.follow()).toMatch(/^main has commits that do not go together/);
    const commit = await landed(stage.branches, two.head, 'a: complete\nb: complete\n', 'b');
    expect(['one.txt', 'two.txt', 'person.txt'].map((file) => stage.inCommit(commit, file))).toEqual(['1\n', '2\n', 'p\n']);
    expect(await stage.branches.follow()).toBeNull();
    expect(stage.repo.git('merge-base', '--is-ancestor', person, 'HEAD')).toBe('');
    expect(stage.repo.git('rev-parse', 'HEAD')).toBe(commit);
  });

  it('between a merge and its landing is reported, and the next result includes the commit', async () => {
    await using stage = await openBranchStage();
    const [one, two] = [await branchWith(stage, 'a', { 'one.txt': '1\n' }), await branchWith(stage, 'b', { 'two.txt': '2\n' })];
    const first = await merging(stage, one.head);
    const person = await personCommits(stage, { 'person.txt': 'p\n' });
    expect(await first.land({ task: 'a', n: 1, message: 'm', pathspecs: [] })).toMatchObject({ kind: 'landed' });
    expect(await stage.branches.follow()).toMatch(/^main has commits that do not go together/);
    expect(stage.repo.git('rev-parse', 'main')).toBe(person);
    const commit = await landed(stage.branches, two.head, 'b: complete\n', 'b');
    expect(await stage.branches.follow()).toBeNull();
    expect([stage.repo.git('rev-parse', 'main'), stage.repo.git('status', '--porcelain')]).toEqual([commit, '']);
    expect(['one.txt', 'two.txt', 'person.txt'].map((file) => stage.inCommit(commit, file))).toEqual(['1\n', '2\n', 'p\n']);
  });

  it('in conflict with the results is left out, and reported', async () => {
    await using stage = await openBranchStage();
    const [one, two] = [await branchWith(stage, 'a', { 'readme.txt': 'one\n' }), await branchWith(stage, 'b', { 'two.txt': '2\n' })];
    await landed(stage.branches, one.head, 'a: complete\n', 'a');
    const person = await personCommits(stage, { 'readme.txt': 'person\n' });
    const commit = await landed(stage.branches, two.head, 'b: complete\n', 'b');
    expect([stage.inCommit(commit, 'readme.txt'), stage.inCommit(commit, 'two.txt')]).toEqual(['one\n', '2\n']);
    expect(await stage.branches.follow()).toBe('main has commits that do not go together with the results: merge refs/ralph/base/main into it by hand');
    expect(stage.repo.git('rev-parse', 'main')).toBe(person);
  });

  it('in conflict with a branch is merged into it, and the resolution is merged', async () => {
    await using stage = await openBranchStage();
    const [one, two] = [await branchWith(stage, 'a', { 'one.txt': '1\n' }), await branchWith(stage, 'b', { 'readme.txt': 'two\n' })];
    await landed(stage.branches, one.head, 'a: complete\n', 'a');
    await personCommits(stage, { 'readme.txt': 'person\n' });
    expect(await stage.branches.merge({ head: two.head, pathspecs: PLAN_SPECS }, never)).toMatchObject({ kind: 'conflict', paths: ['readme.txt'] });
    const brought = await stage.branches.bringBase(two.path);
    expect(brought).toMatchObject({ kind: 'brought', conflicts: ['readme.txt'] });
    await stage.put(two.path, { 'readme.txt': 'person and two\n' });
    const { head } = await settled(stage.branches, { path: two.path, base: 'refs/ralph/base/main' });
    await landed(stage.branches, head, 'b: complete\n', 'b');
    expect(await stage.branches.follow()).toBeNull();
    expect(await readFile(join(stage.repo.path, 'readme.txt'), 'utf8')).toBe('person and two\n');
  });
});
