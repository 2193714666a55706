import { describe, expect, it } from 'vitest';
import { pretendPlan } from '../../../test/support/pretend-plan.ts';
import { playWork } from '../../../test/support/pretend-work.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import type { MergeProof } from '../../journal/events/work.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';

const gates: GateSpec[] = [{ command: 'npm test', failAction: 'APPEND', hint: null, timeoutMs: 0 }];
const settings = workSettings({}, { gates, proof: { level: 'living', mayChange: ['**/*.snap'] } });
const proof: MergeProof = {
  ...{ verdict: 'proven', level: 'living', tree: 'merged', results: [], changed: [], allowed: [], allowed_by: null, reason: '' },
  gates: [{ command: 'npm test', state: 'living', files: ['a.test.js'], why: '' }],
  deciders: { count: 2, sha256: 'now', base_sha256: 'then' },
};
const receiptsIn = (events: readonly JournalEvent[]): readonly Receipt[] =>
  events.flatMap(({ body }) => (body.type === 'effect.begun' && body.effect.kind === 'write-receipt' ? [body.effect.receipt] : []));
const written = (events: readonly JournalEvent[]) => events.flatMap(({ body }) => (body.type === 'receipt.written' ? [body.task] : []));
const costs = (usd: number) => ({ spent: { input: 1, cache_read: 0, cache_write: 0, output: 1, cost_usd: usd, estimated: false } });

describe('a merged task', () => {
  it('has a receipt, with what was proven by what, before its worktree is removed', () => {
    const plan = pretendPlan([planTask('A', { may_change: ['test/**'] }), planTask('B')]);
    const { events, state } = playWork({ settings, plan, turn: () => ({ merge: { proof } }) });
    expect(receiptsIn(events)).toMatchObject([
      {
        ...{ task: 'Title of A', commit: 'c', tree: 'with-plan', where: 'merged', checks: [{ command: 'npm test', exit_code: 0 }], iterations: 1 },
        merged: {
          ...{ id: 'A', plan: 'task-graph.yaml', base: 'main', taken_from: 'b0', onto: 'b1', judged_tree: 'merged' },
          may_change: ['**/*.snap', 'test/**'],
        },
        proof: { level: 'living', deciders: { count: 2 }, checks: [{ state: 'living', files: ['a.test.js'] }], allowed_by: null },
      },
      { merged: { id: 'B', may_change: ['**/*.snap'] } },
    ]);
    const order = events.flatMap(({ body }) =>
      ['merge.proven', 'merge.judged', 'receipt.written', 'workspace.closed'].includes(body.type) ? [body.type] : [],
    );
    expect(order.slice(0, 4)).toEqual(['merge.proven', 'merge.judged', 'receipt.written', 'workspace.closed']);
    expect(state.tasks.receipts).toEqual({ count: 2, folder: '/run/receipts', unsigned: null });
  });

  it('is charged with all its tries, and with those of no other task', () => {
    const turn = (task: string, nth: number) => ({ ended: costs(task === 'A' ? 0.25 : 1), ...(task === 'A' && nth < 3 && { gates: 'red' as const }) });
    const { events, state } = playWork({ settings, plan: pretendPlan([planTask('A'), planTask('B')]), turn });
    const taken = receiptsIn(events).map(({ merged, iterations, cost_usd }) => [merged?.id, iterations, cost_usd]);
    expect(taken.toSorted()).toEqual([
      ['A', 3, 0.75],
      ['B', 1, 1],
    ]);
    expect(state.tasks.tried).toEqual([]);
  });

  it('names who allowed changes of its deciders, and when', () => {
    const plan = pretendPlan([planTask('A')]);
    const claim = { times: 2, tree: 'merged', changed: [], allowed: { by: 'ann', at: 5 } };
    const register = { state: 'free' as const, holder: null, key: '', at: 0, branch: 'ralph/A.3', base: null, tries: 2, feedback: '', claim };
    plan.registers.set('A', { n: 4, register });
    const held: MergeProof = { ...proof, verdict: 'held', allowed_by: 'ann', changed: [{ path: 'a.test.js', why: 'changed' }] };
    const { events } = playWork({ settings, plan, turn: () => ({ merge: { proof: held } }) });
    expect(receiptsIn(events)).toMatchObject([{ proof: { allowed_by: 'ann', allowed_at: 5, changed: [{ path: 'a.test.js' }] } }]);
  });

  it('has a receipt even if only its claim says so, and a task that is not merged has none', () => {
    const plain = workSettings({ unprovenTries: 0 });
    const { events } = playWork({
      settings: plain,
      plan: pretendPlan([planTask('A'), planTask('B')]),
      turn: (task) => (task === 'B' ? { merge: { result: 'red' } } : {}),
    });
    expect(receiptsIn(events)).toMatchObject([{ merged: { id: 'A' }, checks: [] }]);
  });

  it('has exactly one receipt, wherever the loop is killed and resumed', () => {
    const whole = playWork({ settings, plan: pretendPlan([planTask('A'), planTask('B', { needs: ['A'] })]) });
    for (let killedAt = 1; killedAt < whole.events.length; killedAt += 1) {
      const plan = pretendPlan([planTask('A'), planTask('B', { needs: ['A'] })]);
      const killed = playWork({ settings, plan, killedAt });
      const { events, outcome } = playWork({ settings, plan, past: killed.events });
      expect([killedAt, outcome?.exit_code, written(events)]).toEqual([killedAt, 0, ['A', 'B']]);
    }
  });
});
