// Deep: a night of 100 tasks with four workers and five kills takes minutes; `npm test` has one of 12 tasks.
import { expect, it } from 'vitest';
import { expectMorning, idsOf, openBadNight, workThrough } from '../../support/bad-night.ts';
import { eventsIn, type WorkStage } from '../../support/work-stage.ts';

/** How long each merged task took, in the order in which they were merged. */
function durationsOf(stage: WorkStage): readonly number[] {
  const openedAt = new Map(eventsIn(stage, 'iteration.opened').map(({ iteration, at }) => [iteration, Number(at)]));
  const green = eventsIn(stage, 'iteration.closed').filter(({ result }) => result === 'green');
  return green.map(({ iteration, at }) => Number(at) - (openedAt.get(iteration) ?? Number(at)));
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

it('100 tasks with four workers and five kills of the loop are merged once or left to a person, in flat time and memory', { timeout: 1_200_000 }, async () => {
  const ids = idsOf(100);
  await using stage = await openBadNight(100);
  const night = await workThrough(stage, [12, 25, 40, 55, 70]);
  expectMorning(stage, ids, night);
  expect(night.run).toMatchObject({ code: 3, result: { stop_reason: 'waiting', work: { tasks: { done: 84 } } } });
  expect(eventsIn(stage, 'run.resumed')).toHaveLength(5);

  const durations = durationsOf(stage);
  const quarter = Math.floor(durations.length / 4);
  const [first, last] = [median(durations.slice(0, quarter)), median(durations.slice(-quarter))];
  const [peaksKb, openFiles] = [night.used.map(({ peakKb }) => peakKb), night.used.map((each) => each.openFiles)];
  console.info(`soak: median of a task ${first} ms, later ${last} ms; peaks of memory ${peaksKb.join(', ')} kB; open files ${openFiles.join(', ')}`);
  expect(last).toBeLessThan(first * 2 + 1_000);
  expect(Math.max(...peaksKb)).toBeLessThan(Math.min(...peaksKb) * 2);
  expect(Math.max(...openFiles)).toBeLessThan(Math.min(...openFiles) * 2);
});
