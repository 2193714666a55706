import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deepIt } from '../../../test/support/deep.ts';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { type BranchStage, landed, openBranchStage, opened, PLAN, settled } from '../../../test/support/task-branches-stage.ts';
import type { TaskBranches } from '../../engine/ports/task-branches.ts';
import { openGitCommand } from '../git/git-command.ts';

describe('a task from its opening to its end', () => {
  it("goes from its own branch to the base and to the operator's, and leaves no worktree and no branch", async () => {
    await using stage = await openBranchStage();
    const { branches, repo } = stage;
    const start = repo.git('rev-parse', 'main');
    const task = await opened(branches, 'ralph/a.1');
    expect(task).toEqual({ kind: 'opened', path: join(stage.root, 'a.1'), cwd: join(stage.root, 'a.1'), base: start, head: start });
    await stage.put(task.path, { 'new.txt': 'new\n', 'readme.txt': 'changed\n', [PLAN]: 'a: complete\n' });
    const { head, tree, changed } = await settled(branches, task);
    expect(changed).toBe(true);
    expect([stage.inCommit(head, 'new.txt'), stage.inCommit(head, PLAN)]).toEqual(['new\n', 'a: pending\nb: pending\n']);
    expect(tree).toBe(repo.git('rev-parse', `${head}^{tree}`));
    expect(repo.git('log', '--format=%an %(trailers:key=Ralph-Run,valueonly)', `${start}..${head}`).split(/\s+/)).toEqual([
      'Operator',
      'run-1/1',
      'Operator',
      'run-1/1',
    ]);
    const commit = await landed(branches, head, 'a: complete\nb: pending\n');
    expect(repo.git('rev-parse', 'refs/ralph/base/main', 'refs/ralph/merged/a.1', `${commit}^1`, `${commit}^2`).split('\n')).toEqual([
      commit,
      commit,
      start,
      head,
    ]);
    expect(await branches.merged('a', 1)).toBe(commit);
    expect(await branches.merged('a', 2)).toBeNull();
    expect(await branches.follow()).toBeNull();
    expect(repo.git('rev-parse', 'HEAD')).toBe(commit);
    expect(repo.git('status', '--porcelain')).toBe('');
    const closed = await branches.close({ path: task.path, branch: 'ralph/a.1', isMerged: true, keepAs: 'refs/ralph/kept/run-1/1-left' });
    expect(closed).toEqual({ kind: 'closed', kept: null });
    await branches[Symbol.asyncDispose]();
    expect(await readdir(stage.root)).toEqual([]);
    expect(repo.git('for-each-ref', '--format=%(refname)').split('\n')).toEqual(['refs/heads/main', 'refs/ralph/merged/a.1']);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(existsSync(join(repo.path, '.git/worktrees'))).toBe(false);
  });

  it('takes few git commands, because the workers wait for each of them', async () => {
    await using stage = await openBranchStage();
    const asked: string[] = [];
    const git = openGitCommand(stage.repo.path, gitEnv);
    const branches = stage.again({
      git(args, own) {
        asked.push(args.find((word) => COMMANDS.has(word)) ?? args.join(' '));
        return git(args, own);
      },
    });
    await wayOf(stage, branches, 'first');
    asked.length = 0;
    await wayOf(stage, branches, 'second');
    expect(asked).toEqual([
      'worktree',
      ...['status', 'add', 'diff-index', 'commit', 'rev-parse', 'diff-tree'],
      // Three more read Ralph's stdin: two list and check out the files of the plan, and one transaction lands the result.
      ...['merge-tree', 'diff-tree', 'diff-tree', 'read-tree', 'merge-base', 'add', 'write-tree', 'commit-tree'],
      // What the branch needs on the disk, then the branch itself.
      ...['diff-tree', 'merge'],
      ...['status', 'worktree', 'update-ref'],
    ]);
  });

  it('works the same with packed refs', async () => {
    await using stage = await openBranchStage();
    await wayOf(stage, stage.branches, 'first');
    stage.repo.git('pack-refs', '--all', '--prune');
    await wayOf(stage, stage.branches, 'second');
    expect(stage.repo.git('log', '--first-parent', '--format=%s', 'main').split('\n')).toHaveLength(3);
    expect(await stage.again().merged('first', 1)).toBe(stage.repo.git('rev-parse', 'main^'));
  });

  deepIt('acceptance has workers that merge at the same time')(
    'works with eight at once, merged one after the other',
    async () => {
      await using stage = await openBranchStage();
      let seat: Promise<unknown> = Promise.resolve();
      const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
        const turn = seat.then(work);
        seat = turn.catch(() => undefined);
        return turn;
      };
      const names = Array.from({ length: 16 }, (_, index) => `t${index}`);
      await Promise.all(
        Array.from({ length: 8 }, (_, lane) => eachInTurn(names.slice(lane * 2, lane * 2 + 2), (name) => wayOf(stage, stage.branches, name, inTurn))),
      );
      await stage.branches[Symbol.asyncDispose]();
      expect(stage.repo.git('ls-tree', '--name-only', 'main').split('\n').sort()).toEqual([...names.map((name) => `${name}.txt`), PLAN, 'readme.txt'].sort());
      expect(stage.repo.git('log', '--first-parent', '--format=%s', 'main').split('\n')).toHaveLength(names.length + 1);
      expect([stage.repo.git('status', '--porcelain'), stage.repo.git('branch', '--list', 'ralph/*')]).toEqual(['', '']);
      expect(await readdir(stage.root)).toEqual([]);
    },
    120_000,
  );
});

const COMMANDS = new Set([
  'merge-tree',
  'read-tree',
  'merge-base',
  'for-each-ref',
  'worktree',
  'status',
  'add',
  'commit',
  'rev-parse',
  'diff-tree',
  'checkout',
  'clean',
  'merge',
  'diff-index',
  'write-tree',
  'commit-tree',
  'update-ref',
]);

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Takes a task with its own file from its opening to its end. */
async function wayOf(stage: BranchStage, branches: TaskBranches, name: string, inTurn: InTurn = (work) => work()): Promise<void> {
  const task = await opened(branches, `ralph/${name}.1`);
  await stage.put(task.path, { [`${name}.txt`]: 'new\n' });
  const { head } = await settled(branches, task);
  await inTurn(async () => {
    await landed(branches, head, `${name}: complete\n`, name);
    expect(await branches.follow()).toBeNull();
  });
  expect(await branches.close({ path: task.path, branch: `ralph/${name}.1`, isMerged: true, keepAs: `refs/ralph/kept/${name}` })).toEqual({
    kind: 'closed',
    kept: null,
  });
}

async function eachInTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const item of items) await work(item);
}
