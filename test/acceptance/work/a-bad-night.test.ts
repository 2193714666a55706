import { expect, it } from 'vitest';
import { expectMorning, idsOf, openBadNight, workThrough } from '../../support/bad-night.ts';
import { openWorkStage } from '../../support/work-stage.ts';

it('a night of crashes, hangs, limits, lies and a killed loop ends with every task merged once or left to a person', async () => {
  const ids = idsOf(12);
  await using stage = await openBadNight(12);
  const night = await workThrough(stage, [3]);
  expectMorning(stage, ids, night);
  expect(night.run).toMatchObject({ code: 3, result: { work: { tasks: { done: 10 } } } });
});

it('a script without a word is not started again if it has changed files, and a broken one ends the run after three tasks', async () => {
  const tasks = ['silent', 'b', 'c', 'd', 'e'];
  await using stage = await openWorkStage(tasks, '[ "$id" = silent ] || exit 7; echo "by $id" >"$id.txt"', { quiet: true });
  const run = await stage.work();
  expect(run, run.stderr).toMatchObject({ code: 4, result: { stop_reason: 'fatal', message: expect.stringContaining('exited with code 7') } });
  expect(stage.calls()).toEqual(['silent', 'b', 'c', 'd']);
  expect(run.stderr).toMatch(/^warning: 5 of 5 open tasks without a check, where an agent's word is enough \(UNPROVEN\): add --check/m);
  expect(stage.statuses()).toMatchObject({ d: 'pending', e: 'pending' });
});
