import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { childStarted, completed, failedLife, life, looked } from '../../../test/support/supervise-journal.ts';
import { superviseSettings } from '../../../test/support/supervise-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { emptyState } from '../../journal/state/state.ts';
import { completionFact } from './completion-fact.ts';
import type { SuperviseState } from './supervised-task.ts';

const stateAfter = (...bodies: readonly EventBody[]) => given(runStarted(superviseSettings()), ...bodies).reduce(evolve, emptyState) as SuperviseState;

describe('the message about a completed task', () => {
  it('can be recognised by its kind and its key', () => {
    expect(completionFact(stateAfter(), completed)).toMatchObject({
      type: 'FACT',
      project_id: 'demo',
      task_id: 'task-20260115-044055-docs',
      run_id: 'r',
      meta: { kind: 'task_completion_propagation', propagation_key: 'r', restarts: '0', run_ids: 'r' },
    });
  });

  it('counts restarts and children, and names every run', () => {
    const outlived: EventBody = { type: 'children.outlived', active: ['b'] };
    const bodies = [...failedLife(1), looked(), ...life(2), childStarted('a'), childStarted('b'), outlived];
    const { meta, body } = completionFact(stateAfter(...bodies), { ...completed, unproven: false });
    expect(meta).toMatchObject({ restarts: '2', children: '2', children_outlived: '1', unproven: 'false', run_ids: 'r,a,b' });
    expect(body).toBe(
      'Task task-20260115-044055-docs is completed and its checks are green (the agent was run 2 times, 2 children, 1 of which did not finish in time).',
    );
  });

  it.each([
    [[], 'DONE was there before its agent was run, without children'],
    [life(1), 'the agent was run once, without children'],
    [[...life(1), childStarted('a')], 'the agent was run once, 1 child'],
  ] as const)('says so in one sentence', (bodies, figures) => {
    expect(completionFact(stateAfter(...bodies), completed).body).toBe(
      `Task task-20260115-044055-docs is completed, unproven: no check was given (${figures}).`,
    );
  });

  it('is refused before the run has started', () => {
    expect(() => completionFact(emptyState as SuperviseState, completed)).toThrow('started');
  });
});
