import { describe, expect, it } from 'vitest';
import { pretendPlan, type Turn } from '../../../test/support/pretend-plan.ts';
import { playWork } from '../../../test/support/pretend-work.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import type { Instruction } from '../../journal/words/instruction.ts';
import { needsOf } from '../../report/needs/needs.ts';

const told = (instruction: Instruction): EventBody => ({ type: 'operator.instructed', instruction, by: 'ann' });
const fails: Turn = { claims: false, ended: { verdict: 'failed', why: 'exit 1' } };
const failsFirst = (task: string, nth: number): Turn => (task === 'A' && nth === 1 ? fails : {});
const two = () => pretendPlan([planTask('A'), planTask('B')]);

type Begun = Extract<EventBody, { type: 'effect.begun' }>['effect'];
const agents = (events: readonly JournalEvent[]) =>
  events.flatMap(({ body }) =>
    body.type === 'effect.begun' && body.effect.kind === 'run-agent' ? [body.effect as Extract<Begun, { kind: 'run-agent' }>] : [],
  );
const indexOf = (events: readonly JournalEvent[], isMeant: (body: EventBody) => boolean) => events.findIndex(({ body }) => isMeant(body)) + 1;

describe('a person who tells a run on a plan something', () => {
  it('gets a task tried again that had failed, with a note for its agent', () => {
    const failed = indexOf(
      playWork({ settings: workSettings(), plan: two(), turn: failsFirst }).events,
      (body) => body.type === 'task.released' && body.state === 'failed',
    );
    const plan = two();
    const again = told({ kind: 'again', task: 'A', text: 'use the other port', agent: null });
    const { outcome, state, events } = playWork({ settings: workSettings(), plan, turn: failsFirst, news: new Map([[failed, again]]) });

    expect(outcome).toMatchObject({ stop_reason: 'completed' });
    expect(new Set(plan.merged)).toEqual(new Set(['A', 'B']));
    expect(agents(events).flatMap(({ work, answers = [] }) => answers.map((told) => [work?.task.id, told]))).toEqual([
      ['A', { question: 'It was not done: exit 1. What has the next try to know?', answer: 'use the other port' }],
    ]);
    expect(agents(events).filter(({ notes }) => notes !== undefined)).toEqual([]);
    expect(state.instructions).toMatchObject([{ by: 'ann', appliedAtMs: expect.any(Number) }]);
  });

  it('gets a task tried again by the run that is resumed, or by the next one when this one has used up its iterations', () => {
    const again = told({ kind: 'again', task: 'A', text: 'use the other port', agent: null });
    const resumed = (most: number) => {
      const plan = pretendPlan([planTask('A')]);
      const settings = workSettings({}, { maximumIterations: most });
      const { events: past, outcome } = playWork({ settings, plan, turn: failsFirst });
      expect(outcome).toMatchObject({ stop_reason: 'stuck' });
      return { plan, ...playWork({ settings, plan, past, turn: () => ({}), news: new Map([[past.length + 1, again]]) }) };
    };
    const [goesOn, isSpent] = [resumed(10), resumed(1)];
    expect(goesOn.outcome).toMatchObject({ stop_reason: 'completed' });
    expect(agents(goesOn.events).at(-1)?.answers).toEqual([
      { question: 'It was not done: exit 1. What has the next try to know?', answer: 'use the other port' },
    ]);
    expect(isSpent.outcome).toMatchObject({ stop_reason: 'max_iterations' });
    expect(needsOf(isSpent.state)).toEqual([]);
    expect(isSpent.plan.registers.get('A')?.register).toMatchObject({ state: 'free', answers: [{ answer: 'use the other port' }] });
  });

  it('gets it tried again with the words, wherever the loop is killed after it has heard them', () => {
    const again = told({ kind: 'again', task: 'A', text: 'use the other port', agent: null });
    const until = (plan: ReturnType<typeof two>, killedAt?: number) => {
      const failed = indexOf(
        playWork({ settings: workSettings(), plan: two(), turn: failsFirst }).events,
        (body) => body.type === 'task.released' && body.state === 'failed',
      );
      const played = playWork({ settings: workSettings(), plan, turn: failsFirst, news: new Map([[failed, again]]), ...(killedAt && { killedAt }) });
      return { ...played, heardAt: failed + 1 };
    };
    const { events: whole, heardAt } = until(two());
    for (let killedAt = heardAt; killedAt < whole.length; killedAt += 1) {
      const plan = two();
      const { events: past } = until(plan, killedAt);
      const { events, outcome } = playWork({ settings: workSettings(), plan, past });
      expect(outcome, `killed at ${killedAt}`).toMatchObject({ stop_reason: 'completed' });
      const tries = agents(events).filter(({ work }) => work?.task.id === 'A');
      const words = tries.at(-1)?.answers?.map(({ answer }) => answer) ?? tries.at(-1)?.notes;
      expect(words, `killed at ${killedAt}`).toEqual(['use the other port']);
    }
  });

  it('has a task skipped that nobody has begun: the run does the rest, and does not call that done', () => {
    const plan = two();
    const { outcome, state } = playWork({ settings: workSettings(), plan, news: new Map([[1, told({ kind: 'skip', task: 'A' })]]) });

    expect(plan.merged).toEqual(['B']);
    expect(outcome).toMatchObject({ stop_reason: 'blocked', message: expect.stringContaining('A is blocked') });
    expect(state.instructions).toMatchObject([{ appliedAtMs: expect.any(Number) }]);
  });

  it('has the agent of a skipped task ended, which is no failed try', () => {
    const atWork = indexOf(
      playWork({ settings: workSettings(), plan: two() }).events,
      (body) => body.type === 'effect.begun' && body.effect.kind === 'run-agent',
    );
    const plan = two();
    const { state, events } = playWork({ settings: workSettings(), plan, news: new Map([[atWork, told({ kind: 'skip', task: 'A' })]]) });

    expect(plan.merged).toEqual(['B']);
    expect(plan.registers.get('A')?.register).toMatchObject({ state: 'free', tries: 0 });
    expect(state.tasks.counts).toMatchObject({ done: 1, failed: 0, unfinished: 0 });
    expect(events.filter(({ body }) => body.type === 'iteration.closed' && body.result === 'abandoned')).toHaveLength(1);
    expect(state.instructions?.[0]?.appliedAtMs).not.toBeNull();
  });

  it('leaves a note for one task, which no other agent gets, and which is told once', () => {
    const note = told({ kind: 'note', task: 'B', text: 'mind the tests' });
    const { events } = playWork({ settings: workSettings(), plan: two(), news: new Map([[1, note]]) });
    expect(agents(events).map(({ work, notes = [] }) => [work?.task.id, notes])).toEqual([
      ['A', []],
      ['B', ['mind the tests']],
    ]);
  });
});
