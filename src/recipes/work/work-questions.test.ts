import { describe, expect, it } from 'vitest';
import { pretendPlan, type Turn } from '../../../test/support/pretend-plan.ts';
import { playWork } from '../../../test/support/pretend-work.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { needsOf } from '../../report/needs/needs.ts';

const asks: Turn = { claims: false, ended: { claim: { by: 'question', text: 'REST or RPC?' } } };
const two = () => pretendPlan([planTask('A'), planTask('B')]);
const answered = (answer: string): EventBody => ({ type: 'question.answered', story: 'A', answer, by: 'ann' });
const resumed: EventBody = { type: 'run.resumed', ralph: '0.0.0', writer: { host: 'h', boot_id: 'b', pid: 1, start_time: '1' } };

const withMore = (events: readonly JournalEvent[], ...more: readonly EventBody[]): readonly JournalEvent[] => [
  ...events,
  ...more.map((body, index) => ({ v: 1, seq: events.length + 1 + index, at: events.at(-1)?.at ?? 0, body })),
];

/** Asks once. */
const asksOnce = (task: string, nth: number): Turn => (task === 'A' && nth === 1 ? asks : {});

describe('a task whose agent ends with a question', () => {
  it('is parked with it while the others go on; then the run waits for the answer', () => {
    const plan = two();
    const { outcome, state } = playWork({ settings: workSettings(), plan, turn: asksOnce });
    expect(plan.merged).toEqual(['B']);
    expect(plan.registers.get('A')?.register).toMatchObject({ state: 'parked', tries: 0, question: { kind: 'question', text: 'REST or RPC?' } });
    expect(outcome).toMatchObject({
      stop_reason: 'waiting',
      exit_code: 3,
      message: expect.stringMatching(/A: The agent asks: REST or RPC\? \(ralph answer --run \S+ --task A "…"\)/),
    });
    expect(state.tasks.counts).toMatchObject({ done: 1, unfinished: 0, failed: 0 });
    expect(needsOf(state)).toMatchObject([{ kind: 'question', task: 'A', text: 'REST or RPC?' }]);
  });

  it('is taken again with the answer when the run is resumed, and nothing waits any more', () => {
    const plan = two();
    const first = playWork({ settings: workSettings(), plan, turn: asksOnce });
    const past = withMore(first.events, resumed, answered('REST'));
    const second = playWork({ settings: workSettings(), plan, past });
    expect(plan.merged).toEqual(['B', 'A']);
    expect(second.outcome).toMatchObject({ stop_reason: 'completed', exit_code: 0 });
    const told = second.events.flatMap(({ body }) => (body.type === 'effect.begun' && body.effect.kind === 'run-agent' ? [body.effect] : [])).at(-1);
    expect(told?.answers).toEqual([{ question: 'REST or RPC?', answer: 'REST' }]);
    expect(needsOf(second.state)).toEqual([]);
  });

  it('gets the answer wherever the loop is killed after it', () => {
    const whole = two();
    const first = playWork({ settings: workSettings(), plan: whole, turn: asksOnce });
    const past = withMore(first.events, resumed, answered('REST'));
    for (let killedAt = past.length; killedAt < past.length + 12; killedAt += 1) {
      const plan = { ...two(), merged: [...whole.merged], registers: new Map(whole.registers), dead: new Set<string>() };
      const killed = playWork({ settings: workSettings(), plan, past, killedAt });
      if (killed.outcome !== null) break;
      const second = playWork({ settings: workSettings(), plan, past: withMore(killed.events, resumed) });
      expect(second.outcome, `killed at ${killedAt}`).toMatchObject({ stop_reason: 'completed' });
      expect(plan.merged.filter((task) => task === 'A')).toHaveLength(1);
    }
  });

  it('goes on at once when the answer comes while others work', () => {
    const plan = two();
    const asked = playWork({ settings: workSettings(), plan: two(), turn: asksOnce }).events.findIndex(({ body }) => body.type === 'question.asked') + 1;
    const { outcome, events } = playWork({ settings: workSettings(), plan, turn: asksOnce, news: new Map([[asked, answered('RPC')]]) });
    expect(outcome).toMatchObject({ stop_reason: 'completed' });
    expect(new Set(plan.merged)).toEqual(new Set(['A', 'B']));
    expect(events.some(({ body }) => body.type === 'task.taken' && body.answers?.[0]?.answer === 'RPC')).toBe(true);
  });

  it('leaves the question behind when its claim is merged all the same', () => {
    const plan = pretendPlan([planTask('A')]);
    const { outcome, state } = playWork({ settings: workSettings(), plan, turn: () => ({ ended: { claim: { by: 'blocked', text: 'a key?' } } }) });
    expect(outcome).toMatchObject({ stop_reason: 'completed' });
    expect(state.questions).toEqual([]);
  });
});
