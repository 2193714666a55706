import { describe, expect, it } from 'vitest';
import { given, runStarted, writer } from '../../../test/support/given.ts';
import { agentBegun, closed, ended, judged } from '../../../test/support/run-events.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { begun, doneTask, exited, failedTask, merged, none, released, settled, unfinishedTask, workspaceOpened } from '../../../test/support/work-journal.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../journal/state/state.ts';
import { notDone } from '../../journal/words/outcome.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';
import { type WorkLogEntry, workLogEntry } from './work-log.ts';

const settings = workSettings({ filter: { story: 'S-1', milestone: null, tags: [] } }, { lanes: 2 });

function logOf(bodies: readonly EventBody[], start: EventBody = runStarted(settings)): readonly Omit<WorkLogEntry, 'timestamp'>[] {
  let state: RunState = emptyState;
  return given(start, ...bodies).flatMap((event) => {
    const before = state;
    state = evolve(state, event);
    const entry = workLogEntry(event, before, state, new Map([[1, 3]]));
    return entry === null ? [] : [entry];
  });
}

/** `[<iteration>] <action>: <outcome>`, without the start of the loop. */
const linesOf = (...bodies: readonly EventBody[]) =>
  logOf(bodies)
    .slice(1)
    .map(({ iteration, action, outcome }) => `[${iteration}] ${action}: ${outcome}`);

describe('the log of a run on a plan', () => {
  it('has the fields of the seed, the worker and the run', () => {
    expect(logOf(doneTask(1, 'T-1', 2))).toEqual([
      {
        iteration: 0,
        task_id: null,
        action: 'loop_started',
        duration_seconds: 0,
        exit_code: null,
        outcome: 'task-graph.yaml, 2 workers',
        story_filter: 'S-1',
        lane: null,
        run_id: 'r',
      },
      {
        iteration: 1,
        task_id: 'T-1',
        action: 'started',
        duration_seconds: 0,
        exit_code: null,
        outcome: 'Title of T-1',
        story_filter: 'S-1',
        lane: 2,
        run_id: 'r',
      },
      {
        iteration: 1,
        task_id: 'T-1',
        action: 'completed',
        duration_seconds: 9,
        exit_code: 3,
        outcome: 'merged as abc1234',
        story_filter: 'S-1',
        lane: 2,
        run_id: 'r',
      },
    ]);
  });

  it('calls only merged tasks completed', () => {
    const claimed = [...begun(1, 'T'), ended(1), settled(1), merged(1, { result: 'red', detail: '1 check is red' }), released(1, 'T', 'free'), closed(1)];
    expect(linesOf(...claimed).at(-1)).toBe('[1] failed: reported complete, not proven: 1 check is red');
    expect(linesOf(...unfinishedTask(1, 'T')).at(-1)).toBe('[1] skipped: exited without completing the task');
  });

  it.each<[string, readonly EventBody[], string]>([
    ['a failed agent', failedTask(1, 'T', 3), '[1] failed: the agent exited with code 3'],
    ['a conflict', conflict(), '[1] failed: conflict: a, b'],
    ['what was red where it was made', redAlone(), '[1] failed: reported complete, not proven: make test: a.ts:1: error'],
    ['a worktree that cannot be made', noWorktree(), '[1] failed: disk full'],
    ['what we left ourselves', [...begun(1, 'T'), released(1, 'T', 'free'), closed(1, { result: 'abandoned' })], '[1] skipped: left unfinished'],
    ['a usage limit', [...begun(1, 'T'), ended(1, { ...exited(1), verdict: 'limited', why: '429' })], '[1] rate_limited: waiting 60s: 429'],
    ['a plan that cannot be read', [{ type: 'plan.troubled', key: 'k', why: 'bad yaml' }], '[0] error: bad yaml'],
    ['a title with lines and commands', begun(1, 'T', { task: planTask('T', { title: 'a\nb\u001b[2J' }) }), '[1] started: a b [2J'],
  ])('has an entry for %s', (_name, bodies, line) => {
    expect(linesOf(...bodies).at(-1)).toBe(line);
  });

  it.each([
    ['completed', 0, 'finished'],
    ['blocked', 0, 'blocked'],
    ['stuck', 1, 'finished'],
    ['interrupted', 130, 'interrupted'],
    ['fatal', 4, 'error'],
  ] as const)('ends with the exit code of a run that is %s', (reason, exit_code, action) => {
    const entry = logOf([none(), { type: 'run.stopped', outcome: notDone(reason, 'because', exit_code) }]).at(-1);
    expect(entry).toMatchObject({ action, exit_code, outcome: 'because', duration_seconds: 2, task_id: null });
  });

  it('reports the same trouble once', () => {
    const trouble: EventBody = { type: 'plan.troubled', key: 'k', why: 'bad yaml' };
    expect(linesOf(trouble, trouble)).toHaveLength(1);
  });

  it('says when a run is resumed', () => {
    expect(linesOf({ type: 'run.resumed', ralph: '0', writer })).toEqual(['[0] loop_started: resumed, task-graph.yaml, 2 workers']);
  });

  it('is not kept for any other run', () => {
    expect(logOf([], runStarted(testSettings()))).toEqual([]);
  });
});

function conflict(): readonly EventBody[] {
  return [...begun(1, 'T'), ended(1), settled(1), merged(1, { result: 'conflict', conflicts: ['a', 'b'] }), released(1, 'T', 'conflict'), closed(1)];
}

function redAlone(): readonly EventBody[] {
  const gate: GateSpec = { command: 'make test', failAction: 'APPEND', hint: null, timeoutMs: 0 };
  const fact = judged(1, [[gate, 1]]);
  const told = fact.type === 'gates.judged' ? { ...fact, results: fact.results.map((each) => ({ ...each, output: 'a.ts:1: error' })) } : fact;
  return [...begun(1, 'T'), ended(1), settled(1), told, released(1, 'T', 'free'), closed(1)];
}

function noWorktree(): readonly EventBody[] {
  return [...begun(1, 'T').slice(0, 2), workspaceOpened(1, 'b', 'disk full'), released(1, 'T', 'failed'), closed(1, { result: 'failed' })];
}

describe('a retried agent', () => {
  it('is not logged as a second start of its task', () => {
    expect(linesOf(...begun(1, 'T'), ended(1, { verdict: 'empty' }), agentBegun(1, 2))).toEqual(['[1] started: Title of T']);
  });
});
