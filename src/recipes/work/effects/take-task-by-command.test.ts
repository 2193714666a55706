import { describe, expect, it } from 'vitest';
import { holdingStage, inProcess, OURS, PLAN_PATH, processNumbered, workerOf } from '../../../../test/support/holding-stage.ts';
import { taskOf } from '../../../../test/support/plan-of.ts';
import { never } from '../../../../test/support/process-request.ts';
import type { PlanPorts, WorkPorts } from '../../../engine/ports/ports.ts';
import type { TakeTask } from '../../../journal/effects/work-effect.ts';
import type { Holder } from '../../../journal/words/task-register.ts';
import { holdTask } from '../../../plans/holds/hold-task.ts';
import { takeTask } from './take-task.ts';

type Said = Awaited<ReturnType<NonNullable<WorkPorts['runPromptCommand']>>>;

const said = (over: Partial<Said>): Said => ({ code: 0, stdout: '', stderr: '', ...over });
const PROMPT = 'You are implementing b for demo.\n\nYour task: b - Title of b\n';
const taking = (key = 'take:1'): TakeTask => ({ kind: 'take-task', key, iteration: 0, attempt: 0, lane: 1 });
const take = (ports: PlanPorts, effect = taking()) => takeTask.perform(effect, ports, async () => undefined, never);
const us = workerOf('r', 1, OURS);

type Stage = ReturnType<typeof holdingStage>;

/** A prompt command that does something first. */
function commanded(answer: Said | ((stage: Stage, holder: Holder, key: string) => Promise<Said>)): Stage {
  const stage: Stage = holdingStage({
    tasks: [taskOf('a'), taskOf('b'), taskOf('done', { status: 'complete' })],
    askForWork: async (holder, key) => (typeof answer === 'function' ? await answer(stage, holder, key) : answer),
  });
  return stage;
}

const claim = ({ crew }: Stage, task: string, holder: Holder, key: string) => holdTask(crew, { planPath: PLAN_PATH, task, holder, key, nowMs: 3 });

describe('a prompt command', () => {
  it('that names a task makes the worker hold it, and its output is the prompt', async () => {
    const { ports, now, audited } = commanded(said({ stdout: PROMPT }));
    expect(await take(ports)).toMatchObject({ type: 'task.taken', lane: 1, task: { id: 'b', verify: ['as at the start'] }, n: 1, prompt: PROMPT });
    expect(await now('b')).toMatchObject({ n: 1, register: { state: 'held', key: 'take:1', holder: us } });
    expect(audited).toMatchObject([{ event: 'claimed', task_id: 'b' }]);
  });

  it('that has claimed a task for us is believed, whatever its prompt looks like, and audits it itself', async () => {
    const { ports, now, audited } = commanded(async (stage, holder, key) => {
      await claim(stage, 'b', holder, key);
      return said({ stdout: 'Just do it.' });
    });
    expect(await take(ports)).toMatchObject({ type: 'task.taken', task: { id: 'b' }, n: 1, prompt: 'Just do it.' });
    expect(await now('b')).toMatchObject({ n: 1, register: { key: 'take:1', holder: us } });
    expect(audited).toEqual([]);
  });

  it('that has claimed only in our name is claimed again for our process', async () => {
    const { ports, now } = commanded(async (stage, { name }) => {
      await claim(stage, 'b', { name, run: null, lane: null, process: null }, '');
      return said({ stdout: PROMPT });
    });
    expect(await take(ports)).toMatchObject({ type: 'task.taken', task: { id: 'b' }, n: 2 });
    expect(await now('b')).toMatchObject({ n: 2, register: { state: 'held', key: 'take:1', holder: us } });
  });

  it.each([
    ['says nothing', said({ stdout: ' \n' }), 'the prompt command printed nothing'],
    ['names no task', said({ stdout: 'Do something.' }), 'names no task'],
    ['names one that is not in the plan', said({ stdout: 'Your task: x - X' }), 'names x, which is not in the plan'],
    ['names one that is complete', said({ stdout: 'Your task: done - D' }), 'names done, which is complete'],
    ['fails', said({ code: 2, stderr: 'yaml: line 3: bad indent\n' }), 'the prompt command ended with 2: yaml: line 3: bad indent'],
    ['is ended', said({ code: null }), 'the prompt command was killed'],
  ])('that %s is trouble, and nothing is held', async (_, answer, why) => {
    const { ports, now } = commanded(answer);
    expect(await take(ports)).toMatchObject({ type: 'plan.troubled', key: 'take:1', why: expect.stringContaining(why) });
    expect([await now('a'), await now('b')]).toEqual([null, null]);
  });

  it('that names a task of another holder is trouble, and says who', async () => {
    const stage = commanded(said({ stdout: PROMPT }));
    await claim(stage, 'b', workerOf('q', 3, processNumbered(2)), 'take:9');
    expect(await take(stage.ports)).toMatchObject({ type: 'plan.troubled', why: 'the prompt command names b, which q/3 has' });
  });

  it('that claims a task and then fails leaves it free before the next is asked for', async () => {
    let asked = 0;
    const stage = commanded(async (at, holder, key) => {
      asked += 1;
      if (asked > 1) return said({ stdout: 'Your task: a - A' });
      await claim(at, 'b', holder, key);
      return said({ code: 7 });
    });
    expect(await take(stage.ports)).toMatchObject({ type: 'plan.troubled' });
    expect(await take(stage.ports, taking('take:2'))).toMatchObject({ type: 'task.taken', task: { id: 'a' } });
    expect(await stage.now('b')).toMatchObject({ n: 2, register: { state: 'free' } });
  });

  it('is asked again after the loop died, and gets the same task for the same key', async () => {
    const stage = commanded(async (at, holder, key) => {
      await claim(at, 'b', holder, key);
      return said({ stdout: PROMPT });
    });
    expect(await take(stage.ports)).toMatchObject({ n: 1 });
    stage.die(OURS.pid);
    const resumed = inProcess(stage.ports, processNumbered(9));
    expect(await takeTask.find(taking(), resumed)).toBeNull();
    expect(await take(resumed)).toMatchObject({ type: 'task.taken', task: { id: 'b' }, n: 2, prompt: PROMPT });
  });

  it('is not asked while the plan has problems', async () => {
    let asked = 0;
    const { ports, plan } = commanded(async () => {
      asked += 1;
      return said({});
    });
    plan.rewrite(null);
    expect(await take(ports)).toMatchObject({ type: 'plan.troubled' });
    expect(asked).toBe(0);
  });
});

describe('a prompt command without work', () => {
  const none = (stderr: string) => commanded(said({ code: 1, stdout: 'No tasks available.', stderr }));

  it('may give the reason in a line of JSON', async () => {
    const { ports } = none('looking…\n{"reason": "all-complete", "total": 3}\n');
    expect(await take(ports)).toMatchObject({ type: 'task.none', reason: 'all-complete', counts: { total: 3, complete: 1 } });
  });

  it('is explained by the plan when it gives none, never by its text', async () => {
    const stage = none('All tasks are complete! {not json}\n{"reason": "because"}\n');
    for (const task of ['a', 'b']) await claim(stage, task, workerOf('q', 1, processNumbered(2)), 'take:9');
    expect(await take(stage.ports)).toMatchObject({ type: 'task.none', reason: 'all-claimed', held: true });
  });

  it('is reported as a contradiction when the plan has ready tasks', async () => {
    const { ports } = none('');
    const detail = 'the prompt command has no work, although a is ready';
    expect(await take(ports)).toMatchObject({ type: 'task.none', reason: 'none-match', held: false, detail, counts: { total: 3, complete: 1 } });
  });
});
