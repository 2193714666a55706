import { describe, expect, it, vi } from 'vitest';
import { deepRows } from '../../support/deep.ts';
import { endOf } from '../../support/stage.ts';
import { until } from '../../support/until.ts';
import { expectTidy, HANGS, openWorkStage, timesOnMain, WORKS } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 3 });

const COMPLETE = 'ralph task complete "$id"';

/** What an agent does to its worktree after its work is committed, or instead of committing it. */
const habits = [
  ['removes its worktree', `work; ${COMPLETE}; rm -rf "$PWD"`],
  ['unregisters its worktree in git', `work; ${COMPLETE}; git worktree remove --force "$PWD"`],
  ['works on another branch', `git checkout -q -b mine; work; ${COMPLETE}`],
  ['works on no branch', `git checkout -q --detach; work; ${COMPLETE}`],
  ['leaves a lock behind', `work; touch "$(git rev-parse --git-path index.lock)"; ${COMPLETE}`],
  [
    'installs hooks that refuse',
    `hooks="$(git rev-parse --git-common-dir)/hooks"; work; for hook in pre-commit commit-msg pre-merge-commit; do printf '#!/bin/sh\\nexit 1\\n' >"$hooks/$hook"; chmod +x "$hooks/$hook"; done; ${COMPLETE}`,
  ],
] as const;

describe.concurrent('the work of an agent that', () => {
  it.each(deepRows('each habit has a test of its own where branches are settled', habits, 3))('%s lands once', async (_, habit) => {
    await using stage = await openWorkStage(['A', 'B'], `[ "$id" = A ] && { ${habit}; exit 0; }\n${WORKS}`);
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { tasks: { done: 2 } } } });
    expect(stage.repo.git('show', 'main:A.txt')).toBe('by A');
    expect(timesOnMain(stage, 'work of A')).toBe(1);
    expect(stage.statuses()).toEqual({ A: 'complete', B: 'complete' });
    expectTidy(stage);
  });

  it('ends in the middle of a rebase before its own commit is kept under a ref', async () => {
    const rebase = "GIT_SEQUENCE_EDITOR='sed -i 1ibreak' git rebase -q -i HEAD~1";
    await using stage = await openWorkStage([['A', 'output: A.txt']], `work; git rev-parse HEAD >>"$here/commits"; ${rebase}; ${COMPLETE}`);
    const run = await stage.work();

    const commits = stage.read('commits').trim().split('\n');
    for (const commit of commits) expect(stage.repo.git('for-each-ref', '--contains', commit), run.stderr).not.toBe('');
    expect(run.result?.done).toBe(stage.repo.git('ls-tree', '--name-only', 'main').includes('A.txt'));
  });

  it('commits nothing is committed by the loop', async () => {
    await using stage = await openWorkStage(['A'], `echo "by $id" >A.txt; ${COMPLETE}`);
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.repo.git('show', 'main:A.txt')).toBe('by A');
    expectTidy(stage);
  });

  it('leaves in a nested repository is committed like any other', async () => {
    await using stage = await openWorkStage(['A'], `git init -q sub; echo y >sub/y; ${COMPLETE}`);
    const run = await stage.work();

    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true } });
    expect(stage.repo.git('show', 'main:sub/y')).toBe('y');
    expectTidy(stage);
  });
});

it('the next run gets the uncommitted work of a killed loop, and a late resume of the dead run does no harm', async () => {
  await using stage = await openWorkStage(['A', 'B'], `[ "$id$nth" = A1 ] && { echo half >half.txt; ${HANGS.replace('\n', '; ')}; }\n${WORKS}`);
  const first = stage.begin();
  await stage.made('busy.A');
  first.child.kill('SIGKILL');
  await endOf(first);
  await until('its agent is gone', () => stage.processes().length === 0);
  const dead = String(stage.journal()[0]?.['run']);
  const next = await stage.work();
  const main = stage.repo.git('rev-parse', 'main');
  const late = await stage.ralph('runs', 'resume', dead, '--json');

  expect(next, next.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', work: { tasks: { done: 2 } } } });
  expect(stage.repo.git('show', 'main:half.txt')).toBe('half');
  expect(late, late.stderr).toMatchObject({ code: 0, result: { work: { tasks: { done: 0 } } } });
  expect(stage.repo.git('rev-parse', 'main')).toBe(main);
  expectTidy(stage);
});
