import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { doneTask } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import type { CurrentPlan } from '../../recipes/work/logs/current-plan.ts';
import type { WorkStatus } from '../../recipes/work/logs/work-status.ts';
import { clockTime } from '../terminal/paint.ts';
import { runView } from '../views/run-view.ts';
import { stampedEntryText } from './entry-text.ts';
import { stateText, workStatusLines } from './status.ts';

const NOW = 10_000_000;
const state = given(runStarted(workSettings()), ...doneTask(1, 'T-1')).reduce(evolve, emptyState);
const status = { ...runView(state, 0), run_folder: '/runs/r' };

const linesOf = (plan: Partial<CurrentPlan> = {}, over: Partial<WorkStatus> = {}, seen = status) =>
  workStatusLines(
    seen,
    {
      heartbeat: { file: 'f', at: '1970-01-01T02:46:28.000Z', age_ms: 12_000 },
      last_entries: [],
      plan_now: {
        problem: null,
        counts: { complete: 1, held: 2, failed: 0, conflict: 0, parked: 0, blocked: 0, waiting: 1, ready: 1 },
        held: [],
        ready: [],
        stale: [],
        left: [],
        ...plan,
      },
      ...over,
    },
    NOW,
  );

const held = { task: 'T-2', run: 'r', lane: 2, n: 1 };

describe('the status of a run on a plan, in words', () => {
  it('has everything that an operator needs in the morning', () => {
    const lines = linesOf(
      {
        held: [
          { ...held, holder: 'r/2', liveness: 'alive', since: NOW - 61_000 },
          { ...held, task: 'T-3', lane: null, holder: 'alice', liveness: 'named', since: 0 },
          { ...held, task: 'T-4', lane: null, holder: null, liveness: 'unreadable', since: null },
        ],
        ready: [{ task: 'T-5', title: 'Five' }],
        stale: [{ id: 'T-3', holder: 'alice', heldMs: NOW }],
        left: [{ task: 'T-6', state: 'conflict' }],
      },
      { last_entries: [{ timestamp: 't', iteration: 1, action: 'completed', outcome: 'merged as abc1234' }] },
    );
    expect(lines).toEqual([
      'Heartbeat 12s ago (1970-01-01T02:46:28.000Z)',
      'Tries of this run: 1 done, 0 not completed, 0 failed, 0 not proven, 0 in conflict, 0 parked, 0 interrupted',
      'Plan task-graph.yaml: 1 of 5 complete, 2 held, 1 ready, 1 waiting, 0 blocked, 0 failed, 0 in conflict',
      'Held',
      '  T-2 by r/2 (w2) for 1m1s',
      '  T-3 by alice for 2h46m40s, until it is completed or reset',
      '  T-4: its register cannot be read',
      'Ready',
      '  T-5  Five',
      'Stale',
      '  T-3 held for 2h46m40s by alice: ralph task reset T-3',
      'Left for a person',
      '  T-6 conflict: ralph task reset T-6',
      'Last entries',
      '  [1] completed: merged as abc1234',
    ]);
  });

  it('has the command that the inbox has for each task that waits for a person', () => {
    const need = { run_id: 'r', iteration: 1, text: 'Which?', since: 0 };
    const needs = [
      { ...need, kind: 'question' as const, task: 'A', command: 'ralph answer --run r --task A "…"' },
      { ...need, kind: 'held' as const, task: 'B', command: 'ralph accept r --task B' },
    ];
    const left = ['A', 'B', 'C'].map((task) => ({ task, state: 'parked' as const }));
    const lines = linesOf({ left: [...left, { task: 'D', state: 'failed' as const }] }, {}, { ...status, needs });
    expect(lines.slice(lines.indexOf('Left for a person') + 1)).toEqual([
      '  A parked: ralph answer --run r --task A "…"',
      '  B parked: ralph accept r --task B',
      '  C parked: ralph inbox',
      '  D failed: ralph task reset D',
    ]);
  });

  it('counts parked tasks, so that the numbers add up', () => {
    const counts = { complete: 1, held: 0, failed: 1, conflict: 0, parked: 2, blocked: 0, waiting: 0, ready: 0 };
    expect(linesOf({ counts })).toContain('Plan task-graph.yaml: 1 of 4 complete, 0 held, 0 ready, 0 waiting, 0 blocked, 2 parked, 1 failed, 0 in conflict');
  });

  it('shows ten of many tasks', () => {
    const ready = Array.from({ length: 12 }, (_, index) => ({ task: `T-${index}`, title: '' }));
    expect(linesOf({ ready })).toEqual(expect.arrayContaining(['Ready (12)', '  and 2 more']));
  });

  it('names what cannot be read', () => {
    const lines = linesOf({ counts: null, problem: 'task-graph.yaml:3: bad' }, { heartbeat: { file: 'f', at: null, age_ms: null } });
    expect(lines).toEqual(expect.arrayContaining(['Heartbeat none', 'Plan task-graph.yaml: cannot be read', '  task-graph.yaml:3: bad']));
  });

  it('contains no terminal escapes', () => {
    const evil = '\u001b[2J\na';
    const lines = linesOf(
      { ready: [{ task: evil, title: evil }], problem: evil },
      { last_entries: [{ timestamp: evil, iteration: 1, action: evil, outcome: evil }] },
    );
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });
});

describe('an entry of the log, in words', () => {
  it('has the form of seed 000', () => {
    expect(stampedEntryText({ timestamp: '2026-02-05T12:00:00Z', iteration: 3, action: 'failed', outcome: 'exit 3' })).toBe(
      '[2026-02-05T12:00:00Z] [3] failed: exit 3',
    );
  });
});

describe('the first line of the status', () => {
  const running = { ...status, run_id: 'r', status: 'running' } as const;
  const limit = { until: NOW + 7_200_000, window: 'five_hour' };

  it.each([
    ['running', running, 'running'],
    ['paused', { ...running, paused: true }, 'paused: it starts nothing new. Continue it with: ralph runs resume r'],
    ['waiting for a limit', { ...running, limit }, `waiting until ${clockTime(limit.until, NOW)} (2h). Usage limit (five_hour).`],
    ['running again after a limit', { ...running, limit: { ...limit, until: NOW } }, 'running'],
    ['dead while it was paused', { ...running, status: 'dead', paused: true } as const, 'dead'],
    ['a loop of an earlier version', { ...running, paused: undefined, limit: undefined }, 'running'],
  ])('tells that a run is %s', (_name, told, text) => {
    expect(stateText(told as Parameters<typeof stateText>[0], NOW)).toBe(text);
  });
});
