import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openCommittingStage } from './committing-stage.ts';
import { honest, openLoopStage } from './loop-stage.ts';
import type { RunningRalph } from './ralph.ts';
import type { EndedRun, Stage } from './stage.ts';
import { expectTidy as expectTidyStories, openStoriesStage, standings, story } from './stories-stage.ts';
import { openSuperviseStage } from './supervise-stage.ts';
import { expectTidy, openWorkStage, timesOnMain } from './work-stage.ts';

/** One run in a world of its own, and what a person does when it did not come to a good end. */
export interface FaultyWorld extends AsyncDisposable {
  begin(): RunningRalph;
  goOn(): Promise<EndedRun>;
  expectDone(): void;
}

type Variables = Readonly<Record<string, string>>;

const honestly = Array.from({ length: 8 }, () => honest);

async function openWork(env: Variables): Promise<FaultyWorld> {
  const stage = await openWorkStage([['A', 'verify: test -e A.txt'], 'B'], 'work; claim', { env });
  return {
    begin: () => stage.begin('--workers', '2'),
    async goOn() {
      const resumed = await stage.ralph('work', '--resume', '--json');
      if (resumed.code === 0) return resumed;
      for (const task of ['A', 'B']) await stage.ralph('task', 'reset', task);
      return await stage.work();
    },
    expectDone() {
      expect([...stage.merged()].sort()).toEqual(['A', 'B']);
      for (const id of ['A', 'B']) expect([id, timesOnMain(stage, `work of ${id}`)]).toEqual([id, 1]);
      expect(stage.statuses()).toEqual({ A: 'complete', B: 'complete' });
      expectTidy(stage);
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

async function openLoop(env: Variables): Promise<FaultyWorld> {
  const stage = await openLoopStage(honestly, { env });
  return {
    begin: () => stage.beginLoop('--commit'),
    async goOn() {
      const resumed = await stage.ralph('loop', '--resume', '--json');
      // What could not be committed lies in the work tree.
      return resumed.code === 0 ? resumed : await stage.loop('--commit', '--allow-dirty');
    },
    expectDone: () => expectCommitted(stage),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

async function openRun(env: Variables): Promise<FaultyWorld> {
  const stage = await openCommittingStage(honestly, { env });
  return {
    begin: () => stage.start(),
    async goOn() {
      const resumed = await stage.ralph('run', '--resume', '--json');
      return resumed.code === 0 ? resumed : await stage.run('--allow-dirty');
    },
    expectDone: () => expectCommitted(stage),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

/** One commit with the work, and nothing left. */
function expectCommitted({ repo, after }: Stage): void {
  expect(repo.git('show', 'HEAD:work.txt')).toBe('done');
  expect(after()).toMatchObject({ commits: 2, changed: [], processes: [] });
  expect(repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
}

async function openStories(env: Variables): Promise<FaultyWorld> {
  const stage = await openStoriesStage([story('US-001')], [], { env });
  return {
    begin: () => stage.begin(),
    async goOn() {
      const resumed = await stage.ralph('runs', 'resume', '--json');
      return resumed.code === 0 ? resumed : await stage.work();
    },
    expectDone() {
      expect(standings(stage.plan())).toEqual({ 'US-001': ['approved', true, 1] });
      expectTidyStories(stage);
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

async function openSupervised(env: Variables): Promise<FaultyWorld> {
  // Claims to be done before it is, and works once that was refused.
  const stage = await openSuperviseStage('[ ! -e "$TASK_FOLDER/DONE.refused-1" ] || : >"$here/work"\n: >"$TASK_FOLDER/DONE"', { env });
  const check = ['--check', `test -e ${join(stage.beside, 'work')}`];
  return {
    begin: () => stage.begin(...check),
    async goOn() {
      const resumed = await stage.ralph('runs', 'resume', '--json');
      return resumed.code === 0 ? resumed : await stage.supervise(...check);
    },
    expectDone() {
      expect([existsSync(join(stage.task, 'DONE')), existsSync(join(stage.beside, 'work'))]).toEqual([true, true]);
      expect(stage.processes()).toEqual([]);
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

export const FAULTY_WORLDS = { work: openWork, loop: openLoop, run: openRun, stories: openStories, supervise: openSupervised } as const;
