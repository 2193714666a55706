import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { deep, isDeep } from '../../support/deep.ts';
import type { Crash } from '../../support/dying-ralph.ts';
import { type Edge, eventsIn, expectTidy, openWorkStage, timesOnMain, type WorkStage } from '../../support/work-stage.ts';

vi.setConfig({ maxConcurrency: 2 });

const TASKS = ['A', 'B', 'C'];
const EDGES: readonly Edge[] = [['A', 'C']];
/** It is safe to run again. Its commits are recorded beside the repository. */
const AGENT = 'work; git rev-parse HEAD >>"$here/commits"; claim';
const open = () => openWorkStage(TASKS, AGENT, { edges: EDGES });
const WORKERS = ['--workers', '2'];

/** The number of lines of a run that is not killed. Two workers do not always write them in the same order. */
const lines = isDeep
  ? await (async () => {
      await using stage = await open();
      await stage.work(...WORKERS);
      return stage.journal().length;
    })()
  : 0;

const isLong = process.env['RALPH_TEST_LONG'] === '1';
/** Two workers may write fewer lines; the last one says that everything is done. */
const last = Math.max(1, lines - 4);
const every = isLong ? 1 : Math.ceil(last / 10);
const modes: readonly Crash['mode'][] = ['after', 'before', 'torn'];
const rows = Array.from({ length: Math.floor((last - 1) / every) + 1 }, (_, index) => 1 + index * every).flatMap((at, index): readonly Crash[] => {
  if (at === 1) return [{ at, mode: 'after' }];
  return isLong ? modes.map((mode) => ({ at, mode })) : [{ at, mode: modes[index % modes.length] ?? 'after' }];
});

function expectEveryCommitKept({ repo, read }: WorkStage): void {
  const commits = new Set(read('commits').trim().split('\n'));
  for (const commit of commits) expect([commit, repo.git('for-each-ref', '--contains', commit) !== '']).toEqual([commit, true]);
}

/** No torn line, no gap, no decreasing time. */
function expectWholeJournal(stage: WorkStage): void {
  const journal = stage.journal();
  expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1));
  const times = journal.map(({ at }) => Number(at));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  const audit = readFileSync(join(stage.repo.path, 'logs', 'task-audit.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(() => audit.map((line) => JSON.parse(line))).not.toThrow();
}

deep('each line is killed in process in test/crashes/, the telling ones for real in real-kills.test.ts', () => {
  describe.concurrent('ralph work that is killed and resumed does every task once:', () => {
    it.each(rows)('line $at, killed $mode it is written', async (crash) => {
      await using stage = await open();
      await stage.crash(crash, ...WORKERS);
      const run = await stage.ralph('runs', 'resume', '--json');

      expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true } });
      expect([...stage.merged()].sort()).toEqual(TASKS);
      for (const id of TASKS) expect([id, timesOnMain(stage, `work of ${id}`) <= 1]).toEqual([id, true]);
      for (const id of TASKS) expect(stage.repo.git('show', `main:${id}.txt`)).toBe(`by ${id}`);
      expect(stage.statuses()).toEqual({ A: 'complete', B: 'complete', C: 'complete' });
      expectEveryCommitKept(stage);
      expectWholeJournal(stage);
      expectTidy(stage);
    });
  });

  it('ralph work that is killed twice at the same place and once more later still finishes', async () => {
    await using stage = await open();
    await stage.crash({ at: Math.floor(last / 2), mode: 'after' }, ...WORKERS);
    const again = stage.start('runs', 'resume', '--json');
    await vi.waitUntil(() => eventsIn(stage, 'run.resumed').length > 0, { timeout: 20_000 });
    await stage.kill(again);
    const run = await stage.ralph('runs', 'resume', '--json');

    expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed' } });
    expect([...stage.merged()].sort()).toEqual(TASKS);
    expectEveryCommitKept(stage);
  });
});
