// Deep: 64 tasks with eight workers in the os sandbox take minutes, and twenty kills more; `npm test` has smaller plans.
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../support/bubblewrap.ts';
import type { EndedRun } from '../../support/stage.ts';
import { until } from '../../support/until.ts';
import { eventsIn, expectAllDone, openWorkStage, WORKS, type WorkStage } from '../../support/work-stage.ts';

const TASKS = Array.from({ length: 64 }, (_, index) => `T${index + 1}`);
const FLAGS = ['--workers', '8', '--check', 'test -s task-graph.yaml', '--sandbox=os', '--proof', 'green'];
const WITHIN_MS = 1_200_000;

/** In the sandbox an agent writes its calls beside the repository, as without one. */
async function openFullHouse(): Promise<WorkStage> {
  const stage = await openWorkStage(TASKS, WORKS, { withinMs: WITHIN_MS });
  await stage.repo.write('.ralph/settings.json', JSON.stringify({ sandbox: { writable: [stage.repo.beside] } }));
  stage.repo.git('commit', '-qam', 'agents tell their calls');
  return stage;
}

/** Every task is merged once, nothing failed, nobody was warned of a planted file or of lost history, and nothing is left. */
function expectCalm(stage: WorkStage, run: EndedRun): void {
  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', sandbox: { mode: 'os' }, work: { tasks: { done: 64 } } } });
  expectAllDone(stage, TASKS);
  expect(eventsIn(stage, 'wall.refused')).toEqual([]);
  expect(run.stderr).not.toMatch(/internal error|unexpected change|Git: /);
}

describe.skipIf(bubblewrapIsMissing())('64 tasks with eight workers in the sandbox', () => {
  it('are all merged at the first try, without an alarm, and leave nothing', { timeout: WITHIN_MS }, async () => {
    await using stage = await openFullHouse();
    const run = await stage.work(...FLAGS);
    expectCalm(stage, run);
    const results = eventsIn(stage, 'iteration.closed').map(({ result }) => result);
    expect(results.filter((result) => result !== 'green')).toEqual([]);
    expect(stage.calls()).toHaveLength(TASKS.length);
  });

  it('are merged once each although the loop is killed twenty times, and leave nothing', { timeout: WITHIN_MS }, async () => {
    await using stage = await openFullHouse();
    let running = stage.begin(...FLAGS);
    for (let kills = 0; kills < 20; kills += 1) {
      // Each time at another place of the journal.
      const most = stage.journal().length + 5 + ((kills * 7) % 23);
      await until(`the journal has ${most} lines`, () => running.child.exitCode !== null || stage.journal().length >= most, 120_000);
      await stage.kill(running);
      running = stage.start('work', '--resume', '--json');
    }
    const run = await stage.over(running);
    expect(eventsIn(stage, 'run.resumed')).toHaveLength(20);
    expectCalm(stage, run);
  });
});
