import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { noSpending } from '../../journal/state/spending.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import type { RunHistory } from '../../report/history/run-history.ts';
import { openBars, rowOf } from './bars.ts';
import { openChanges } from './changes.ts';
import { criticalPath } from './critical-path.ts';
import { daysOf, gateStatsOf, openDays, todayOf } from './days.ts';
import { openMerges } from './merges.ts';
import type { Bar, TaskNode } from './page.ts';
import { openRequests } from './requests.ts';
import { colouredText, shortened, shownText } from './shown-text.ts';
import { timeScale } from './time-scale.ts';

const at = (ms: number, body: Partial<EventBody>) => ({ v: 1, seq: 1, at: ms, body: body as EventBody }) as const;
const date = (ms: number) => `day ${Math.floor(ms / 100)}`;

describe('texts for the page', () => {
  it('lose everything that a terminal would obey and that deceives a reader', () => {
    const hostile = 'a\u001b]0;title\u0007b\u001b[2Jc\u202ed\u0000e\u001b[31mf';
    expect(shownText(hostile)).toBe('abc\ufffdd\u2400ef');
    expect(colouredText(hostile)).toBe('abc\ufffdd\u2400e\u001b[31mf');
  });

  it('keep their lines, and of a line that rewrites itself every state', () => {
    expect(shownText('10 %\r50 %\r\n\u00e9nd\n')).toBe('10 %\n50 %\n\u00e9nd\n');
  });

  it('keep the beginning and the end of a line of 10 MB', () => {
    const text = shortened(`first${'x'.repeat(10_000_000)}last`, 1000);
    expect(text.length).toBeLessThan(1100);
    expect(text).toMatch(/^first.*9999009 characters left out.*last$/s);
  });
});

describe('the row of a run in the list', () => {
  const bar = (worker: number, from: number, to: number | null, over: Partial<Bar> = {}): Bar => {
    return { iteration: from, worker, task: null, from, to, result: null, proven: false, asks: false, ticks: [], waits: [], ...over };
  };

  it('has a line for each worker, in the colours of the verdicts, and an open bar lasts until now', () => {
    const bars = [bar(2, 0, 50_000, { result: 'red' }), bar(1, 0, 50_000, { result: 'green', proven: true }), bar(2, 50_000, null)];
    expect(rowOf(bars, 100_000)).toEqual({ workers: 2, paths: { red: 'M0 1.5h499', proven: 'M0 0.5h499', open: 'M500 1.5h499' } });
  });

  it('is empty before the first iteration, and small with many', () => {
    expect(rowOf([], 5)).toEqual({ workers: 0, paths: {} });
    const many = Array.from({ length: 80 }, (_, index) => bar(1, index * 1000, index * 1000 + 900, { result: 'red' }));
    expect(JSON.stringify(rowOf(many, 0)).length).toBeLessThan(1_100);
  });
});

describe('a time line', () => {
  it('folds a long time in which nothing happened', () => {
    const scale = timeScale([
      { from: 0, to: 60_000 },
      { from: 8 * 3_600_000, to: 8 * 3_600_000 + 60_000 },
    ]);
    expect(scale.folds).toEqual([{ from: 60_000, to: 8 * 3_600_000, at: 0.5 }]);
    expect(scale.place(60_000)).toBeCloseTo(0.488, 2);
    expect(scale.place(8 * 3_600_000 + 60_000)).toBe(1);
  });

  it('keeps a short gap as it is, and puts its marks at round times', () => {
    const scale = timeScale([
      { from: 500, to: 50_000 },
      { from: 52_000, to: 100_000 },
    ]);
    expect(scale.folds).toEqual([]);
    expect(scale.marks.map(({ ms }) => ms)).toEqual([30_000, 60_000, 90_000]);
    expect(scale.place(100_000)).toBe(1);
  });

  it('is not lost without any span', () => {
    expect(timeScale([]).place(5)).toBe(0);
  });
});

describe('the critical path', () => {
  const task = (id: string, needs: readonly string[], standing: TaskNode['standing'] = 'waiting'): TaskNode => ({ id, title: '', needs, standing });

  it('is the longest chain of tasks that are not complete', () => {
    const tasks = [task('a', [], 'complete'), task('b', ['a'], 'ready'), task('c', ['b']), task('d', ['c', 'e']), task('e', [], 'ready')];
    expect(criticalPath(tasks)).toEqual(['b', 'c', 'd']);
    expect(criticalPath([task('a', [], 'complete')])).toEqual([]);
  });

  it('ends also for a plan with a cycle', () => {
    expect(criticalPath([task('a', ['b']), task('b', ['a'])])).toHaveLength(2);
  });
});

describe('the figures of a day', () => {
  it('count a claim when its iteration closes, refused unless it was accepted, and what attempts cost', () => {
    const days = openDays(date);
    const claim = { by: 'response', text: 'DONE' } as const;
    const spent = { input: 0, cache_read: 0, cache_write: 0, output: 0, cost_usd: 0.5, estimated: false };
    const ended = (iteration: number, over: object) => ({
      type: 'attempt.ended',
      iteration,
      role: 'work',
      ending: { kind: 'exited', code: 0 },
      tools: 0,
      ...over,
    });
    days.add(at(10, ended(1, { claim, spent }) as never));
    days.add(at(20, { type: 'iteration.closed', iteration: 1, accepted: false } as never));
    days.add(at(30, ended(2, { claim: { by: 'blocked', text: 'why?' }, spent }) as never));
    days.add(at(40, { type: 'iteration.closed', iteration: 2, accepted: false } as never));
    days.add(at(110, ended(3, { claim, spent: null }) as never));
    days.add(at(120, { type: 'iteration.closed', iteration: 3, accepted: true } as never));
    const whole = { ...noSpending, costs: [0.5, 0.5] };
    const all = daysOf([{ days: days.days, gates: days.gates, provenAtMs: [115, 130], spent: whole }], date);
    const none = { cost_usd: null, cost_estimated: false, cost_incomplete: false, cost_per_proven_usd: null };

    expect(all).toEqual([
      { date: 'day 0', proven: 0, claimed: 1, refused: 1, ...none, cost_usd: 1 },
      { date: 'day 1', proven: 2, claimed: 1, refused: 0, ...none, cost_usd: 0.5, cost_estimated: true, cost_per_proven_usd: 0.25 },
    ]);
    expect(todayOf(all, 'day 0')).toEqual({ proven: 0, claimed: 1, refused: 1, ...none, cost_usd: 1 });
    expect(todayOf(all, 'day 9')).toEqual({ proven: 0, claimed: 0, refused: 0, ...none });
  });
});

describe('the gates of the history', () => {
  it('are those that fail most often, and the slowest, however seldom they fail', () => {
    const gate = (red: number, slowestMs: number) => ({ runs: 10, red, totalMs: 10, slowestMs });
    const red = Array.from({ length: 50 }, (_, index) => [`red ${index}`, gate(5, 1)] as const);
    const shown = gateStatsOf([{ gates: new Map([...red, ['slow', gate(0, 60_000)]]) }]).map(({ command }) => command);
    expect([shown[0], shown.length < 45, shown.includes('slow')]).toEqual(['red 0', true, true]);
  });
});

describe('the waits of an iteration', () => {
  const ended = (ms: number, over: object) => at(ms, { type: 'attempt.ended', iteration: 1, limit_window: null, ...over } as never);
  const begun = (ms: number) => at(ms, { type: 'effect.begun', key: 'k', effect: { kind: 'run-agent', iteration: 1 } } as never);

  it('are a usage limit, a provider that cannot answer and the pause before a retry, but not what goes on at once', () => {
    const fold = openBars();
    const events = [ended(0, { verdict: 'limited' }), begun(5_000), ended(6_000, { verdict: 'limited', limit_window: 'overloaded' }), begun(9_000)];
    for (const event of [...events, ended(10_000, { verdict: 'failed' }), begun(15_000), ended(16_000, { verdict: 'failed' }), begun(16_010)]) fold.add(event);
    const history = { iterations: [{ iteration: 1, item: '' }], state: emptyState } as unknown as RunHistory;
    expect(fold.bars(history, 500)[0]?.waits.map(({ why, from, to }) => [why, from, to])).toEqual([
      ['usage limit', 0, 5_000],
      ['the provider cannot answer', 6_000, 9_000],
      ['before a retry', 10_000, 15_000],
    ]);
  });
});

describe('what people have told a run', () => {
  it('is seen once it is journaled, and applied when it has taken effect', () => {
    const fold = openRequests();
    const states = (state: Partial<RunState> = {}) => fold.requests({ ...emptyState, ...state }).map(({ text, applied_at }) => [text, applied_at]);
    fold.add(at(10, { type: 'operator.asked', what: 'drain', by: 'ann' }));
    fold.add(at(20, { type: 'question.answered', story: 'T-1', answer: 'REST', by: 'ben' }));
    expect(states()).toEqual([
      ['answer about T-1: REST', null],
      ['finish what has begun, then stop', null],
    ]);
    fold.add(at(30, { type: 'effect.begun', effect: { kind: 'run-agent', answers: [{ question: '?', answer: 'REST' }] } } as never));
    fold.add(at(40, { type: 'run.stopped' } as never));
    fold.add(at(50, { type: 'run.resumed', by: 'cleo with ralph ui' } as never));
    const note = { instruction: { kind: 'note', task: null, text: 'be quick' }, by: 'ann', atMs: 25, appliedAtMs: null } as const;
    expect(states({ instructions: [note] })).toEqual([
      ['resume', 50],
      ['note for the next agent: be quick', null],
      ['answer about T-1: REST', 30],
      ['finish what has begun, then stop', 40],
    ]);
  });
});

describe('the merge queue', () => {
  it('has who is merged, who waits for that, and then the results, the newest first', () => {
    const fold = openMerges();
    const merge = (iteration: number) => ({ kind: 'merge', key: `merge:${iteration}.1`, iteration, task: { id: `T-${iteration}` } });
    const begun = (ms: number, iteration: number) => at(ms, { type: 'effect.begun', key: `merge:${iteration}.1`, effect: merge(iteration) } as never);
    const judged = { type: 'merge.judged', key: 'merge:1.1', iteration: 1, result: 'conflict', commit: null, conflicts: ['a.ts'], unlocked: [], detail: '' };
    fold.add(begun(10, 1));
    fold.add(at(15, judged as never));
    fold.add(begun(20, 3));
    fold.add(begun(21, 2));
    const state = { ...emptyState, inFlight: [merge(2), merge(3)] } as unknown as RunState;
    expect(fold.merges(state).map(({ task, state: how, why, at: when }) => [task, how, why, when])).toEqual([
      ['T-3', 'merging', '', null],
      ['T-2', 'queued', '', null],
      ['T-1', 'conflict', 'a.ts', 15],
    ]);
  });
});

describe('the changes of an iteration', () => {
  const [base, head, other] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];

  it('are between the base of its task and what its agent left, and of a run between its first base and its last merge', () => {
    const fold = openChanges();
    fold.add(at(1, { type: 'iteration.opened', iteration: 1 } as never));
    fold.add(at(2, { type: 'workspace.opened', iteration: 1, base } as never));
    expect([fold.of(1), fold.ofRun()]).toEqual([null, null]);
    fold.add(at(3, { type: 'plan.settled', iteration: 1, head } as never));
    fold.add(at(4, { type: 'merge.judged', commit: other } as never));
    expect([fold.of(1), fold.ofRun()]).toEqual([
      { from: base, to: head },
      { from: base, to: other },
    ]);
  });

  it('are unknown for what is no id of git: it becomes a word of a command', () => {
    const fold = openChanges();
    fold.add(at(1, { type: 'workspace.opened', iteration: 1, base: '--output=/etc/x' } as never));
    fold.add(at(2, { type: 'plan.settled', iteration: 1, head } as never));
    expect(fold.of(1)).toBeNull();
  });
});
