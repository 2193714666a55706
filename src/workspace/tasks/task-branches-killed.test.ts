import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deep } from '../../../test/support/deep.ts';
import { gitEnv } from '../../../test/support/opened-git.ts';
import { type BranchStage, expectKind, filesOf, never, openBranchStage, opened, PLAN, PLAN_SPECS, settled } from '../../../test/support/task-branches-stage.ts';
import type { OpenedBranch, SettledBranch, TaskBranches } from '../../engine/ports/task-branches.ts';
import { type Git, openGitCommand } from '../git/git-command.ts';

/** The facts that a loop has journaled when it dies. */
interface Journal {
  task?: OpenedBranch;
  hasWorked?: boolean;
  work?: SettledBranch;
  isMerged?: boolean;
  isClosed?: boolean;
}

/** Does everything without a fact, as the engine does. */
async function goOn(stage: BranchStage, branches: TaskBranches & AsyncDisposable, journal: Journal): Promise<void> {
  journal.task ??= await opened(branches, 'ralph/a.1');
  if (!journal.hasWorked) await agent(stage, journal.task.path);
  journal.hasWorked = true;
  journal.work ??= await settled(branches, journal.task);
  if (!journal.isMerged) await merge(branches, journal.work.head);
  journal.isMerged = true;
  if (!journal.isClosed) expectKind(await branches.close({ ...journal.task, branch: 'ralph/a.1', isMerged: true, keepAs: 'refs/ralph/kept/left' }), 'closed');
  journal.isClosed = true;
  await branches[Symbol.asyncDispose]();
}

async function agent(stage: BranchStage, path: string): Promise<void> {
  await stage.put(path, { 'one.txt': '1\n', [PLAN]: 'a: spoiled\n' });
  stage.at(path, 'add', '-A');
  stage.at(path, 'commit', '-qm', 'By the agent');
  await stage.put(path, { 'left.txt': 'left\n' });
}

async function merge(branches: TaskBranches, head: string): Promise<void> {
  if ((await branches.merged('a', 1)) === null) {
    const merging = expectKind(await branches.merge({ head, pathspecs: PLAN_SPECS }, never), 'merging');
    await filesOf(merging);
    await writeFile(join(merging.planFolder, PLAN), 'a: complete\n');
    expectKind(await merging.land({ task: 'a', n: 1, message: 'Merge task a', pathspecs: PLAN_SPECS }), 'landed');
  }
  expect(await branches.follow()).toBeNull();
}

interface Death {
  /** After this many of the git commands that count. */
  readonly commands: number;
  readonly counts: (args: readonly string[]) => boolean;
  /** Right after the last one, or before the next. */
  readonly when: 'at once' | 'later';
}

const everyCommand = () => true;

/** A command that only reads changes nothing. */
const READING = /^(?:rev-parse|rev-list|cat-file|ls-tree|ls-files|for-each-ref|merge-base|log|diff|diff-tree|diff-index|status|var|config)$/;
const everyChange = (args: readonly string[]) => !args.some((word) => READING.test(word));

/** Its callers wait for ever, so nothing is cleaned up, as after a kill. */
function mortal(git: Git, { commands, counts, when }: Death): { readonly git: Git; readonly dead: Promise<'dead'> } {
  let count = 0;
  let die: (how: 'dead') => void = () => undefined;
  const dead = new Promise<'dead'>((resolve) => {
    die = resolve;
  });
  const forEver = () => {
    die('dead');
    return new Promise<never>(() => undefined);
  };
  return {
    dead,
    async git(args, own) {
      if (!counts(args)) return await git(args, own);
      count += 1;
      if (count > commands) return await forEver();
      const answer = await git(args, own);
      return count === commands && when === 'at once' ? await forEver() : answer;
    },
  };
}

async function diesAndGoesOn(death: Death): Promise<'dead' | 'finished'> {
  await using stage = await openBranchStage();
  const journal: Journal = {};
  const { git, dead } = mortal(openGitCommand(stage.repo.path, gitEnv), death);
  const how = await Promise.race([dead, goOn(stage, stage.again({ git }), journal).then(() => 'finished' as const)]);
  if (how === 'dead') await goOn(stage, stage.again(), journal);
  await expectAllWell(stage);
  return how;
}

async function expectAllWell({ repo, root, inCommit }: BranchStage): Promise<void> {
  const base = repo.git('rev-parse', 'main');
  expect([repo.git('rev-parse', 'refs/ralph/merged/a.1'), repo.git('for-each-ref', 'refs/ralph/base')]).toEqual([base, '']);
  expect(['one.txt', 'left.txt', PLAN].map((file) => inCommit(base, file))).toEqual(['1\n', 'left\n', 'a: complete\n']);
  expect(repo.git('log', '--format=%s', '--first-parent', base).split('\n')).toEqual(['Merge task a', 'start']);
  expect(
    repo
      .git('log', '--format=%s', base)
      .split('\n')
      .filter((subject) => subject === 'By the agent'),
  ).toHaveLength(1);
  expect(repo.git('status', '--porcelain')).toBe('');
  const unreachable = repo
    .git('fsck', '--no-reflogs', '--unreachable', '--no-progress')
    .split('\n')
    .filter((line) => line.startsWith('unreachable commit'));
  const subjects = unreachable.map((line) => repo.git('log', '-1', '--format=%s', line.split(' ')[2] ?? ''));
  expect(subjects.filter((subject) => !['Merge task a', 'A merged result to be judged'].includes(subject))).toEqual([]);
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/heads').split('\n')).toEqual(['refs/heads/main']);
  expect([existsSync(join(repo.path, '.git/worktrees')), await readdir(root), existsSync(join(repo.beside, 'merge'))]).toEqual([false, [], false]);
  expect((await readdir(join(repo.path, '.git'), { recursive: true })).filter((name) => name.endsWith('.lock'))).toEqual([]);
}

describe('a loop that dies between two git commands', () => {
  it('loses no commit, merges once and leaves nothing behind, at every change', async () => {
    const deaths: string[] = [];
    while (!deaths.includes('finished'))
      deaths.push(await diesAndGoesOn({ commands: deaths.length, counts: everyChange, when: deaths.length % 2 === 0 ? 'later' : 'at once' }));
    expect(deaths.length).toBeGreaterThan(10);
  }, 600_000);

  it('continues despite the locks of a killed git', async () => {
    await using stage = await openBranchStage();
    const journal: Journal = {};
    const { git, dead } = mortal(openGitCommand(stage.repo.path, gitEnv), { commands: 1, counts: (args) => args.includes('commit-tree'), when: 'later' });
    expect(await Promise.race([dead, goOn(stage, stage.again({ git }), journal)])).toBe('dead');
    const locks = ['worktrees/a.1/index.lock', 'worktrees/-merge-run-1/index.lock', 'refs/ralph/base/main.lock'].map((lock) =>
      join(stage.repo.path, '.git', lock),
    );
    for (const lock of [...locks, join(stage.repo.beside, 'merge/index.lock')]) await writeFile(lock, '');
    await goOn(stage, stage.again(), journal);
    await expectAllWell(stage);
    expect(await readFile(join(stage.repo.path, 'left.txt'), 'utf8')).toBe('left\n');
  }, 120_000);
});

const AT_A_TIME = 4;

deep('a kill at every single git command, also those that only read, is 120 scenes of a second', () => {
  it.each(['at once', 'later'] as const)(
    'a loop that dies between two git commands loses nothing: %s',
    async (when) => {
      const deaths: string[] = [];
      while (!deaths.includes('finished')) {
        const from = deaths.length;
        const tries = Array.from({ length: AT_A_TIME }, (_, index) => diesAndGoesOn({ commands: from + index, counts: everyCommand, when }));
        deaths.push(...(await Promise.all(tries)));
      }
      expect(deaths.lastIndexOf('dead')).toBeGreaterThan(20);
    },
    600_000,
  );
});
