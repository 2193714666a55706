import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { allPassed, loopStarted, spentUsd, stopped, tag } from '../../../test/support/loop-journal.ts';
import { closed, ended, opened } from '../../../test/support/run-events.ts';
import { doneTask, failedTask } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { notDone } from '../../journal/words/outcome.ts';
import { addToFigures, noFigures } from '../history/figures.ts';
import { openStats, runStatsLines } from './run-stats.ts';

const statsOf = (...journals: readonly (readonly EventBody[])[]) => foldOf(journals).stats();

function foldOf(journals: readonly (readonly EventBody[])[]) {
  const sum = openStats();
  for (const bodies of journals) {
    const figures = noFigures();
    for (const event of given(...bodies)) addToFigures(figures, event);
    sum.add(figures);
  }
  return sum;
}

const good = [loopStarted(), opened(1), ended(1, { spent: spentUsd(0.2), claim: tag }), closed(1, { accepted: true }), stopped(allPassed)];
const bad = [
  loopStarted(),
  opened(1),
  ended(1, { verdict: 'limited' }),
  ended(1, { attempt: 2, spent: spentUsd(0.4) }),
  closed(1),
  stopped(notDone('stuck', '')),
];

describe('the statistics over past runs', () => {
  it('are kept for each agent and model', () => {
    expect(statsOf(good, bad)).toMatchObject([
      {
        ...{ agent: 'claude', model: 'opus', runs: 2, iterations: 2, attempts: 3, results: 2, proven: 1, failed: { limited: 1 } },
        ...{ cost_per_proven_usd: expect.closeTo(0.6), median_time_to_proven_ms: 2000, cost_estimated: false },
      },
    ]);
  });

  it('count the tasks of a plan, and not its run', () => {
    const gate = { command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 0 } as const;
    const plan = [runStarted(workSettings({}, { gates: [gate] })), ...doneTask(1, 'A'), ...failedTask(2, 'B')];
    expect(statsOf(plan)).toMatchObject([{ runs: 1, results: 2, proven: 1, cost_usd: null, cost_per_proven_usd: null }]);
  });

  it('say how far the newest run on each plan came', () => {
    const run = (complete: number) => {
      const [taken, ...rest] = doneTask(1, 'A');
      return [runStarted(workSettings()), { ...taken, total: 8, complete } as EventBody, ...rest];
    };
    const fold = foldOf([run(3), run(0)]);
    expect(fold.plans()).toEqual([{ plan: 'task-graph.yaml', complete: 4, total: 8 }]);
    expect(runStatsLines(fold.stats(), fold.plans()).at(-1)).toBe('task-graph.yaml: 4 of 8 tasks complete after its newest run');
  });

  it('say that a cost is only the least, if one run told none', () => {
    const silent = [loopStarted(), opened(1), ended(1, { spent: null }), closed(1), stopped(notDone('stuck', ''))];
    expect(statsOf(good, silent)).toMatchObject([{ cost_usd: 0.2, cost_incomplete: true, cost_per_proven_usd: expect.closeTo(0.2) }]);
    expect(runStatsLines(statsOf(good, silent)).at(-1)).toContain('at least $0.20  at least $0.20');
  });

  it('are empty without a run', () => {
    expect(statsOf()).toEqual([]);
  });

  it('are a table for people', () => {
    expect(runStatsLines(statsOf(good, bad))).toEqual([
      'AGENT         RUNS  ITERATIONS  PROVEN  COST   COST/PROVEN  TIME/PROVEN  FAILED ATTEMPTS',
      'claude, opus  2     2           1 of 2  $0.60  $0.60        2s           1 limited',
    ]);
  });
});
