import { describe, expect, it } from 'vitest';
import { type PretendPlan, pretendPlan, type Turn } from '../../../test/support/pretend-plan.ts';
import { playWork } from '../../../test/support/pretend-work.ts';
import { planTask, workSettings } from '../../../test/support/work-spec.ts';
import { decide } from '../../engine/decide/decide.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { evolve } from '../../journal/evolve/evolve.ts';
import { work } from './work.ts';

const chain = () => pretendPlan([planTask('A'), planTask('B', { needs: ['A'] }), planTask('C', { needs: ['B'] })]);
const diamond = () => pretendPlan([planTask('A'), planTask('B', { needs: ['A'] }), planTask('C', { needs: ['A'] }), planTask('D', { needs: ['B', 'C'] })]);
const forty = () =>
  pretendPlan(Array.from({ length: 40 }, (_, at) => planTask(`T${at}`, { needs: at < 4 ? [] : [`T${at - 4}`, ...(at % 7 === 0 ? [`T${at - 3}`] : [])] })));
const one = () => pretendPlan([planTask('A')]);
const failed: Turn = { claims: false, ended: { verdict: 'failed', why: 'it crashed', ending: { kind: 'exited', code: 3 } } };

const bodies = (played: ReturnType<typeof playWork>) => played.events.map(({ body }) => body);
const told = <T extends EventBody['type']>(played: ReturnType<typeof playWork>, type: T) =>
  bodies(played).filter((body): body is Extract<EventBody, { type: T }> => body.type === type);

describe('a run on a plan', () => {
  it.each([
    ['a chain', chain, 3],
    ['a diamond', diamond, 4],
    ['forty tasks', forty, 40],
  ])('finishes %s with one and with four workers, each task once and after its dependencies', (_name, make, count) => {
    for (const lanes of [1, 4]) {
      const plan = make();
      const played = playWork({ settings: workSettings({}, { lanes }), plan });
      expect(played.outcome).toMatchObject({ stop_reason: 'completed', exit_code: 0, message: 'All tasks complete' });
      expect([new Set(plan.merged).size, plan.merged.length]).toEqual([count, count]);
      for (const { id, needs } of plan.tasks) for (const need of needs) expect(plan.merged.indexOf(need)).toBeLessThan(plan.merged.indexOf(id));
      expect(played.most).toBeLessThanOrEqual(lanes);
    }
  });

  it('works on as many tasks at once as it has workers', () => {
    expect(playWork({ settings: workSettings({}, { lanes: 4 }), plan: forty() }).most).toBe(4);
  });

  it('rests between two tasks, and not after the last one', () => {
    const hours = (plan: PretendPlan) => Math.floor(playWork({ settings: workSettings({ pauseMs: 3_600_000 }), plan }).state.time.lastMs / 3_600_000);
    expect([hours(one()), hours(pretendPlan([planTask('A'), planTask('B')]))]).toEqual([0, 1]);
  });

  it('leaves a failed task for a person, continues with the next one, and does not call the end a success', () => {
    const plan = pretendPlan([planTask('A'), planTask('B')]);
    const played = playWork({ settings: workSettings(), plan, turn: (task) => (task === 'A' ? failed : {}) });
    expect(plan.merged).toEqual(['B']);
    expect(plan.registers.get('A')?.register.state).toBe('failed');
    expect(played.outcome).toMatchObject({ stop_reason: 'stuck', exit_code: 1 });
    expect(played.state.tasks.counts).toEqual({ done: 1, unfinished: 0, failed: 1, unproven: 0, conflicts: 0 });
  });

  it.each([1, 3])('stops when the agent cannot work at all, with exit code 4, and leaves its tasks free (%i workers)', (lanes) => {
    const why = 'Invalid API key. Please run /login';
    const loggedOut: Turn = { claims: false, ended: { verdict: 'fatal', why, exit_code_if_fatal: 4, cause: { class: 'permanent', kind: 'login' } } };
    const plan = forty();
    const played = playWork({ settings: workSettings({}, { lanes }), plan, turn: () => loggedOut });
    expect(played.outcome).toMatchObject({ stop_reason: 'fatal', exit_code: 4, message: why });
    expect(told(played, 'attempt.ended')).toHaveLength(lanes);
    expect([...plan.registers.values()].map(({ register }) => register.state)).toEqual(Array.from({ length: lanes }, () => 'free'));
    expect(played.state.tasks.counts).toEqual({ done: 0, unfinished: 0, failed: 0, unproven: 0, conflicts: 0 });
  });

  it('stops when the agent fails in the same way three times at once, with exit code 4, and the third task is free', () => {
    const crash = { verdict: 'failed', why: 'it crashed', at_once: true, cause: { class: 'passing', kind: 'crash' } } as const;
    const plan = forty();
    const played = playWork({ settings: workSettings({ retryFailed: 1 }), plan, turn: () => ({ claims: false, ended: crash }) });
    expect(played.outcome).toMatchObject({ stop_reason: 'fatal', exit_code: 4 });
    expect(told(played, 'attempt.ended')).toHaveLength(3);
    expect(told(played, 'task.released').at(-1)).toMatchObject({ state: 'free' });
  });

  it.each([
    ['A task failed: ', pretendPlan([planTask('A')])],
    ['2 tasks failed: ', pretendPlan([planTask('A'), planTask('B')])],
    ['1 of 3 open tasks failed: ', chain()],
  ])('ends with numbers that add up: %s', (words, plan) => {
    const played = playWork({ settings: workSettings(), plan, turn: () => failed });
    expect(played.outcome?.message.startsWith(words), played.outcome?.message).toBe(true);
  });

  it('counts an agent that succeeds without completing its task separately', () => {
    const played = playWork({ settings: workSettings(), plan: one(), turn: () => ({ claims: false }) });
    expect(played.state.tasks.counts).toMatchObject({ done: 0, unfinished: 1, failed: 0 });
    expect(played.outcome).toMatchObject({ exit_code: 1 });
  });

  it('retries a failed task only if it was told to, and tells the next agent why', () => {
    const plan = one();
    const played = playWork({ settings: workSettings({ retryFailed: 1 }), plan, turn: (_, nth) => (nth === 1 ? failed : {}) });
    expect(plan.merged).toEqual(['A']);
    expect(told(played, 'task.taken')[1]?.feedback).toContain('it crashed');
    expect(played.outcome).toMatchObject({ exit_code: 0 });
  });

  it.each<[string, Turn['ended'], number]>([
    ['SIGKILL', { ending: { kind: 'signalled', signal: 'SIGKILL' } }, 3],
    ['a signal, as a shell tells it', { ending: { kind: 'exited', code: 137 } }, 3],
    ['no signal', { ending: { kind: 'exited', code: 1 } }, 1],
  ])('tries a task again twice whose agent was killed in the middle of its work, without being told to: %s', (_name, ended, tries) => {
    const plan = pretendPlan([planTask('A'), planTask('B')]);
    const killed: Turn = { claims: false, ended: { verdict: 'failed', why: 'it was killed', cause: { class: 'passing', kind: 'crash' }, ...ended } };
    const played = playWork({ settings: workSettings(), plan, turn: (task) => (task === 'A' ? killed : {}) });
    expect(told(played, 'task.taken').filter(({ task }) => task.id === 'A')).toHaveLength(tries);
    expect(plan.registers.get('A')?.register.state).toBe('failed');
    expect(plan.merged).toEqual(['B']);
  });

  const crashed = (ended: Turn['ended']): Turn => ({ claims: false, idle: true, ended: { verdict: 'failed', why: 'it crashed', ...ended } });
  const killed = crashed({ ending: { kind: 'exited', code: 137 }, cause: { class: 'passing', kind: 'crash' } });

  it.each<[string, Turn]>([
    ['was killed', killed],
    ['could not reach its provider', crashed({ ending: { kind: 'exited', code: 1 }, cause: { class: 'passing', kind: 'provider' } })],
    ['found its model overloaded', crashed({ ending: { kind: 'exited', code: 1 }, cause: { class: 'waiting', kind: 'overload' } })],
  ])('starts an agent again that %s before it changed anything, after growing pauses, and the task keeps its tries', (_name, crash) => {
    const plan = one();
    const played = playWork({ settings: workSettings(), plan, turn: (_, nth) => (nth <= 3 ? crash : {}) });
    expect(plan.merged).toEqual(['A']);
    expect(told(played, 'task.taken')).toHaveLength(1);
    const at = (type: string) =>
      played.events.filter(({ body }) => type === (body.type === 'effect.begun' ? body.effect.kind : body.type)).map((event) => event.at);
    const [begun, ended] = [at('run-agent'), at('attempt.ended')];
    expect(begun.slice(1).map((atMs, index) => atMs - (ended[index] ?? 0))).toEqual([5_000, 30_000, 120_000]);
  });

  it('gives a task up whose agent crashes four times in a row without a change, and says so', () => {
    const plan = one();
    const played = playWork({ settings: workSettings(), plan, turn: () => killed });
    expect(told(played, 'attempt.ended')).toHaveLength(4);
    expect(told(played, 'task.taken')).toHaveLength(1);
    expect(played.state.tasks.left).toMatchObject([{ task: 'A', why: 'it crashed (4 times in a row), cause: passing (crash)' }]);
  });

  it('does not start a crashed agent again that has asked, or that a person has stopped', () => {
    const asks = playWork({
      settings: workSettings(),
      plan: one(),
      turn: () => killed,
      news: new Map([[7, { type: 'question.asked', iteration: 1, story: 'A', question: { kind: 'question', text: 'Which?' }, by: 'door' }]]),
    });
    expect(told(asks, 'attempt.ended')).toHaveLength(1);
    const plan = one();
    const stop = { type: 'operator.asked', what: 'drain', by: 'SIGINT' } as const;
    const stopped = playWork({ settings: workSettings(), plan, turn: () => killed, news: new Map([[7, stop]]) });
    expect(told(stopped, 'attempt.ended')).toHaveLength(1);
    expect(plan.registers.get('A')?.register).toMatchObject({ state: 'free', tries: 0 });
  });

  it('retries a task whose claim is not proven, with what was red, until its tries are used up', () => {
    const plan = pretendPlan([planTask('A', { verify: ['make test'] })]);
    const played = playWork({ settings: workSettings({ unprovenTries: 2 }), plan, turn: () => ({ gates: 'red' }) });
    expect(told(played, 'task.taken')).toHaveLength(3);
    expect(told(played, 'task.taken')[1]?.feedback).toContain('make test');
    expect(plan.merged).toEqual([]);
    expect(played.state.tasks.counts).toMatchObject({ unproven: 3 });
    expect(played.outcome).toMatchObject({ stop_reason: 'stuck', exit_code: 1 });
  });

  it('gives up a task that is stuck before its tries are used up: first the next prompt says what repeats, then a person is told', () => {
    const plan = pretendPlan([planTask('A', { verify: ['make test'] }), planTask('B'), planTask('C')]);
    const settings = workSettings({ unprovenTries: 20 });
    const limits = { ...settings.limits, stuckAfter: 4 };
    const played = playWork({ settings: { ...settings, limits }, plan, turn: (task) => (task === 'A' ? { gates: 'red' } : {}) });
    const tries = told(played, 'task.taken').filter(({ task }) => task.id === 'A');
    expect(tries).toHaveLength(4);
    expect(tries[2]?.feedback).not.toContain('Ralph has noticed');
    expect(tries[3]?.feedback).toContain('Ralph has noticed that the last 3 iterations left the same files and the same results');
    expect(played.state.tasks.left).toMatchObject([{ task: 'A', state: 'failed', why: expect.stringContaining('Stuck: the last 4 iterations') }]);
    expect(plan.merged).toEqual(['B', 'C']);
  });

  it('believes the merged result, not the branch alone', () => {
    const plan = pretendPlan([planTask('A', { verify: ['make test'] })]);
    const played = playWork({
      settings: workSettings({ unprovenTries: 0 }),
      plan,
      turn: () => ({ merge: { result: 'red', missing: ['Output file missing: a.ts'] } }),
    });
    expect(plan.merged).toEqual([]);
    expect(plan.registers.get('A')?.register).toMatchObject({ state: 'failed', feedback: expect.stringContaining('Output file missing: a.ts') });
    expect(played.outcome).toMatchObject({ exit_code: 1 });
  });

  it('lets an agent resolve a conflict once, and then leaves both sides for a person', () => {
    const conflict: Turn = { merge: { result: 'conflict', conflicts: ['a.txt'] } };
    const resolved = one();
    expect(playWork({ settings: workSettings(), plan: resolved, turn: (_, __, role) => (role === 'resolve' ? {} : conflict) }).outcome).toMatchObject({
      exit_code: 0,
    });
    expect(resolved.merged).toEqual(['A']);
    const stuck = one();
    const played = playWork({ settings: workSettings(), plan: stuck, turn: () => conflict });
    expect(told(played, 'base.brought')).toHaveLength(1);
    expect(stuck.registers.get('A')?.register).toMatchObject({ state: 'conflict', branch: 'ralph/A.1' });
    expect(played.state.tasks.counts).toMatchObject({ conflicts: 1 });
  });

  it('waits for a usage limit, which is neither a success nor a failure', () => {
    const limited: Turn = { claims: false, ended: { verdict: 'limited', why: 'limit' } };
    const plan = one();
    const played = playWork({ settings: workSettings(), plan, turn: (_, nth) => (nth <= 3 ? limited : {}) });
    expect(played.outcome).toMatchObject({ exit_code: 0 });
    expect(told(played, 'task.taken')).toHaveLength(1);
    expect(played.state.tasks.counts).toEqual({ done: 1, unfinished: 0, failed: 0, unproven: 0, conflicts: 0 });
    const [first = 0, second = 0] = told(played, 'attempt.ended').map((body) => played.events.find((event) => event.body === body)?.at ?? 0);
    expect(second - first).toBeGreaterThanOrEqual(60_000);
  });

  it('stops when the remaining tasks wait for a person, and says so by its exit code if that is wanted', () => {
    const plan = () => pretendPlan([planTask('A', { status: 'blocked' }), planTask('B', { needs: ['A'] })]);
    expect(playWork({ settings: workSettings(), plan: plan() }).outcome).toMatchObject({ stop_reason: 'blocked', exit_code: 0 });
    expect(playWork({ settings: workSettings({ failOnBlocked: true }), plan: plan() }).outcome).toMatchObject({ stop_reason: 'blocked', exit_code: 3 });
  });

  it('stops after more failures than allowed', () => {
    const plan = pretendPlan(Array.from({ length: 9 }, (_, at) => planTask(`T${at}`)));
    const played = playWork({ settings: workSettings({ maxFailures: 2 }), plan, turn: () => failed });
    expect(played.outcome).toMatchObject({ stop_reason: 'stuck', exit_code: 1 });
    expect(told(played, 'task.taken')).toHaveLength(3);
  });

  it('drops a task that it no longer holds, and ends its agent', () => {
    const plan = one();
    const lost: EventBody = { type: 'task.lost', task: 'A', n: 1, why: 'somebody has reset it' };
    const played = playWork({ settings: workSettings(), plan, news: new Map([[6, lost]]), turn: (_, nth) => ({ claims: nth > 1 }) });
    expect(told(played, 'iteration.closed')[0]).toMatchObject({ result: 'abandoned', accepted: false });
  });

  it('releases a task only when its worktree is removed, and accepts no claim after that', () => {
    const plan = one();
    const script = { settings: workSettings(), plan, turn: () => ({ claims: false }) };
    const order = bodies(playWork(script)).map(({ type }) => type);
    const closed = order.indexOf('workspace.closed') + 1;
    expect(closed).toBeLessThan(order.indexOf('task.released'));
    const late: EventBody = { type: 'task.claimed', task: 'A', n: 1, by: 'somebody' };
    const again = one();
    const played = playWork({ ...script, plan: again, news: new Map([[closed, late]]) });
    expect(told(played, 'merge.judged')).toEqual([]);
    expect(again.merged).toEqual([]);
  });

  it('takes no new task while it is paused', () => {
    const pause: EventBody = { type: 'operator.asked', what: 'pause', by: 'pause' };
    const drain: EventBody = { type: 'operator.asked', what: 'drain', by: 'SIGINT' };
    const plan = chain();
    expect(() => playWork({ settings: workSettings(), plan, news: new Map([[3, pause]]) })).toThrow('does not come to an end');
    expect(plan.merged).toEqual(['A']);
    expect(playWork({ settings: workSettings(), plan: chain(), news: new Map([[3, drain]]) }).outcome).toMatchObject({ stop_reason: 'interrupted' });
  });
});

describe('a run on a plan that is told to stop', () => {
  it.each(['drain', 'abort'] as const)('(%s) releases all its tasks, whenever it is told', (what) => {
    const whole = playWork({ settings: workSettings({}, { lanes: 2 }), plan: diamond() }).events.length;
    for (let line = 2; line < whole; line += 1) {
      const plan = diamond();
      const news = new Map<number, EventBody>([[line, { type: 'operator.asked', what, by: 'SIGINT' }]]);
      playWork({ settings: workSettings({}, { lanes: 2 }), plan, news });
      expect([...plan.registers.values()].filter(({ register }) => register.state === 'held')).toEqual([]);
      expect([...plan.registers.values()].filter(({ register }) => register.state === 'failed')).toEqual([]);
    }
  });
});

describe('a run on a plan that is killed', () => {
  it('at any line of its journal, and resumed, does each task once', () => {
    const settings = workSettings({}, { lanes: 2 });
    const whole = playWork({ settings, plan: diamond() }).events.length;
    for (let line = 2; line < whole; line += 1) {
      const plan: PretendPlan = diamond();
      const killed = playWork({ settings, plan, killedAt: line });
      if (killed.outcome !== null) continue;
      const { outcome } = playWork({ settings, plan, past: killed.events });
      expect(outcome, `killed at line ${line}`).toMatchObject({ stop_reason: 'completed', exit_code: 0 });
      expect(plan.merged.toSorted(), `killed at line ${line}`).toEqual(['A', 'B', 'C', 'D']);
    }
  });
});

describe('an idle worker', () => {
  it('stops polling while a lost task is cleaned up', () => {
    const settings = workSettings({}, { lanes: 2 });
    const lost: EventBody = { type: 'task.lost', task: 'A', n: 1, why: 'somebody has reset it' };
    const { state } = playWork({ settings, plan: one(), killedAt: 9 });
    const none: EventBody = {
      type: 'task.none',
      key: 'take:2',
      reason: 'all-claimed',
      held: true,
      counts: { total: 1, complete: 0, in_progress: 1, blocked: 0, failed: 0 },
      detail: '',
    };
    const later = [none, lost].reduce((before, body, index) => evolve(before, { v: 1, seq: 100 + index, at: 1_000_000, body }), state);
    const waits = decide(work, { state: later, settings, nowMs: 2_000_000 }).filter((decision) => decision.kind === 'wait');
    expect(waits.every((wait) => wait.kind === 'wait' && wait.untilMs > 2_000_000)).toBe(true);
  });
});
