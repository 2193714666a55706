import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { OPERATOR } from '../../../test/support/repo.ts';
import { type BranchStage, expectKind, never, openBranchStage, opened, PLAN_SPECS, settled } from '../../../test/support/task-branches-stage.ts';
import type { Merging, SharedBase, TaskBranches } from '../../engine/ports/task-branches.ts';
import { openGitCommand } from '../git/git-command.ts';

interface Machine {
  readonly branches: TaskBranches;
  readonly shared: SharedBase;
  git(...args: readonly string[]): string;
}

interface World {
  readonly stage: BranchStage;
  readonly one: Machine;
  readonly other: Machine;
  remote(...args: readonly string[]): string;
  readonly bare: string;
}

/** Two clones of one bare remote, each with branches of its own. */
async function openWorld(): Promise<World> {
  const stage = await openBranchStage();
  onTestFinished(() => stage[Symbol.asyncDispose]());
  const { repo } = stage;
  const bare = join(repo.beside, 'bare.git');
  const path = join(repo.beside, 'clone');
  const gitIn = (cwd: string, args: readonly string[]) => execFileSync('git', [...args], { cwd, env: { ...gitEnv }, encoding: 'utf8', stdio: 'pipe' }).trim();
  gitIn(repo.path, ['init', '-q', '--bare', '-b', 'main', bare]);
  gitIn(repo.path, ['remote', 'add', 'origin', bare]);
  gitIn(repo.path, ['push', '-q', 'origin', 'main']);
  gitIn(repo.beside, ['clone', '-q', bare, path]);
  for (const words of OPERATOR) gitIn(path, words);
  const machine = (branches: TaskBranches, cwd: string): Machine => {
    if (branches.shared === undefined) throw new Error('It shares nothing.');
    return { branches, shared: branches.shared, git: (...args) => gitIn(cwd, args) };
  };
  await mkdir(join(repo.beside, 'merge-2'));
  const there = {
    git: openGitCommand(path, gitEnv),
    topLevel: path,
    cwd: path,
    worktreesRoot: `${path}.ralph`,
    mergeFolder: join(repo.beside, 'merge-2/files'),
  };
  return {
    ...{ stage, bare },
    one: machine(stage.again({ remote: 'origin' }), repo.path),
    other: machine(stage.again({ ...there, run: 'run-2', remote: 'origin' }), path),
    remote: (...args) => gitIn(bare, args),
  };
}

/** The work of a task, ready to be merged. */
async function headOn({ stage }: World, { branches }: Machine, branch: string, from: string | null = null): Promise<string> {
  const task = await opened(branches, branch, from);
  await stage.put(task.path, { [`${branch.replaceAll('/', '-')}.txt`]: 'work\n' });
  return (await settled(branches, task)).head;
}

const mergingOf = async ({ branches }: Machine, head: string): Promise<Merging> =>
  expectKind(await branches.merge({ head, pathspecs: PLAN_SPECS }, never), 'merging');
const landingOf = (merging: Merging, task: string, n: number) => merging.land({ task, n, message: `Merge task ${task}`, pathspecs: [] });

describe('with a remote that machines share', () => {
  it('what one lands is the base of the other, and its branch follows', async () => {
    const world = await openWorld();
    const { one, other, remote } = world;
    const landing = expectKind(await landingOf(await mergingOf(one, await headOn(world, one, 'ralph/a.1')), 'a', 1), 'landed');
    expect([remote('rev-parse', 'main'), remote('rev-parse', 'refs/ralph/merged/a.1')]).toEqual([landing.commit, landing.commit]);
    expect(await other.shared.catchUp()).toBeNull();
    expect(await other.branches.merged('a', 1)).toBe(landing.commit);
    expect([other.git('rev-parse', 'main'), other.git('status', '--porcelain')]).toEqual([landing.commit, '']);
  });

  it('of two that merge at once one lands, and the other has to merge again', async () => {
    const world = await openWorld();
    const { one, other } = world;
    const heads = [await headOn(world, one, 'ralph/a.1'), await headOn(world, other, 'ralph/b.1')] as const;
    const [first, second] = [await mergingOf(one, heads[0]), await mergingOf(other, heads[1])];
    expectKind(await landingOf(second, 'b', 1), 'landed');
    expect(await landingOf(first, 'a', 1)).toEqual({ kind: 'moved' });
    expectKind(await landingOf(await mergingOf(one, heads[0]), 'a', 1), 'landed');
    expect(world.remote('log', '--first-parent', '--format=%s', 'main').split('\n').slice(0, 2)).toEqual(['Merge task a', 'Merge task b']);
  });

  it('a number that is fenced never lands, however late its holder wakes up', async () => {
    const world = await openWorld();
    const { one, other, remote } = world;
    const before = remote('rev-parse', 'main');
    const asleep = await mergingOf(one, await headOn(world, one, 'ralph/a.1'));
    await other.shared.fence('a', 1);
    expect(await landingOf(asleep, 'a', 1)).toEqual({ kind: 'moved' });
    expect(remote('rev-parse', 'main')).toBe(before);
    expect([await one.branches.merged('a', 1), await other.branches.merged('a', 1)]).toEqual([null, null]);
    expectKind(await landingOf(await mergingOf(other, await headOn(world, other, 'ralph/a.2')), 'a', 2), 'landed');
  });

  it('a fence finds what has landed before it, and closes every number below', async () => {
    const world = await openWorld();
    const { one, other } = world;
    const late = await mergingOf(one, await headOn(world, one, 'ralph/a.1'));
    const landing = expectKind(await landingOf(await mergingOf(one, await headOn(world, one, 'ralph/a.2')), 'a', 2), 'landed');
    await other.shared.fence('a', 4);
    expect(await other.branches.merged('a', 2)).toBe(landing.commit);
    const again = await mergingOf(one, await headOn(world, one, 'ralph/a.3'));
    expect(await Promise.all([landingOf(again, 'a', 3), landingOf(again, 'a', 4), landingOf(late, 'a', 1)])).toEqual(Array(3).fill({ kind: 'moved' }));
    expect(world.remote('rev-parse', 'main')).toBe(landing.commit);
  });

  it('work that was pushed is gone on with by another machine, and its branches go when it has landed', async () => {
    const world = await openWorld();
    const { one, other, remote } = world;
    const head = await headOn(world, one, 'ralph/a.1');
    await one.shared.publish('ralph/a.1', head);
    const next = await headOn(world, other, 'ralph/a.2', 'ralph/a.1');
    expect(other.git('merge-base', head, next)).toBe(head);
    await other.shared.publish('ralph/a.2', next);
    expectKind(await landingOf(await mergingOf(other, next), 'a', 2), 'landed');
    await other.shared.tidy('a', 2);
    expect(remote('for-each-ref', '--format=%(refname:short)', 'refs/heads')).toBe('main');
  });

  it('what a person pushes meanwhile is merged with, and what a person has only here is pushed with the next result', async () => {
    const world = await openWorld();
    const { one, other, remote } = world;
    other.git('commit', '-q', '--allow-empty', '-m', 'pushed by a person');
    other.git('push', '-q', 'origin', 'main');
    one.git('commit', '-q', '--allow-empty', '-m', 'of a person here');
    expectKind(await landingOf(await mergingOf(one, await headOn(world, one, 'ralph/a.1')), 'a', 1), 'landed');
    expect(remote('log', '--format=%s', 'main').split('\n')).toEqual(expect.arrayContaining(['pushed by a person', 'of a person here', 'Merge task a']));
  });

  it('a remote that refuses is not tried with another task: it says what its hook says', async () => {
    const world = await openWorld();
    const { one, bare } = world;
    await writeFile(join(bare, 'hooks/pre-receive'), '#!/bin/sh\necho "closed on Wednesdays" >&2\nexit 1\n');
    await chmod(join(bare, 'hooks/pre-receive'), 0o755);
    const merging = await mergingOf(one, await headOn(world, one, 'ralph/a.1'));
    await expect(landingOf(merging, 'a', 1)).rejects.toThrow(/^the remote origin refuses what this worker pushes: .*closed on Wednesdays/);
  });

  it('results of a run without a fleet are not lost: they have to be pushed first', async () => {
    const world = await openWorld();
    const { one, stage } = world;
    const head = await headOn(world, one, 'ralph/a.1');
    one.git('update-ref', 'refs/ralph/base/main', head);
    await expect(one.shared.catchUp()).rejects.toMatchObject({ code: 'base-not-pushed', exitCode: 2 });
    expect(stage.repo.git('rev-parse', 'refs/ralph/base/main')).toBe(head);
  });
});
