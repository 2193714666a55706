import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../test/support/history-of.ts';
import { spentUsd } from '../../../test/support/loop-journal.ts';
import { pretendPlan, type Turn } from '../../../test/support/pretend-plan.ts';
import { playWork } from '../../../test/support/pretend-work.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import { runReport } from './run-report.ts';
import { openStats } from './run-stats.ts';

const settings = workSettings({ retryFailed: 1, pauseMs: 0 }, { lanes: 2 });
const crew = () => pretendPlan([planTask('A', { verify: ['a'] }), planTask('B', { verify: ['b'] }), planTask('C', { verify: ['c'], needs: ['A'] })]);
const turn = (task: string, nth: number): Turn => {
  const isFailed = task === 'B' && nth === 1;
  const spent = spentUsd(0.25);
  return isFailed ? { claims: false, ended: { verdict: 'failed', why: 'it failed', spent, duration_ms: 1_000 } } : { ended: { spent, duration_ms: 1_000 } };
};
const HOUR_MS = 3_600_000;

/** The same events, an hour later. */
const later = (events: readonly JournalEvent[], from: number): readonly JournalEvent[] =>
  events.map((event, index) => (index < from ? event : { ...event, at: event.at + HOUR_MS }));

function expectSums(events: readonly JournalEvent[], why: string): void {
  const history = historyOf(events);
  const report = runReport(history, { status: history.state.stopped === null ? 'dead' : 'stopped', runFolder: '' });
  const { totals, by_task, by_agent } = report;
  const sum = <T>(all: readonly T[], of: (each: T) => number) => all.reduce((total, each) => total + of(each), 0);
  expect(
    sum(by_task, ({ iterations }) => iterations),
    why,
  ).toBe(totals.iterations);
  expect(
    sum(by_task, ({ attempts }) => attempts),
    why,
  ).toBe(totals.attempts);
  expect(
    sum(by_agent, ({ attempts }) => attempts),
    why,
  ).toBe(totals.attempts);
  expect(
    sum(by_task, ({ cost_usd }) => cost_usd ?? 0),
    why,
  ).toBeCloseTo(totals.cost_usd ?? 0);
  expect(
    sum(by_agent, ({ cost_usd }) => cost_usd ?? 0),
    why,
  ).toBeCloseTo(totals.cost_usd ?? 0);
  const told = [...report.proven, ...report.not_proven, ...report.not_begun].map(({ task }) => task);
  expect(new Set(told).size, why).toBe(told.length);
  for (const { task } of by_task) expect(told, why).toContain(task);
  const stats = openStats();
  stats.add(history.figures);
  expect(
    sum(stats.stats(), ({ attempts }) => attempts),
    why,
  ).toBe(totals.attempts);
}

describe('the report of a run on a plan that was killed and resumed', () => {
  it('adds up, wherever it was killed, and leaves out the time in which nothing ran', () => {
    const whole = playWork({ settings, plan: crew(), turn }).events.length;
    for (let line = 2; line < whole; line += 2) {
      const plan = crew();
      const killed = playWork({ settings, plan, turn, killedAt: line });
      expectSums(killed.events, `killed at line ${line}`);
      if (killed.outcome !== null) continue;
      const resumed = playWork({ settings, plan, turn, past: killed.events });
      const events = later(resumed.events, killed.events.length);
      expectSums(events, `killed at line ${line} and resumed`);
      const report = runReport(historyOf(events), { status: 'stopped', runFolder: '' });
      expect(report.totals.duration_ms, `line ${line}`).toBeLessThan(HOUR_MS);
      for (const { duration_ms } of report.by_task) expect(duration_ms, `line ${line}`).toBeLessThanOrEqual(report.totals.duration_ms);
    }
  });
});
