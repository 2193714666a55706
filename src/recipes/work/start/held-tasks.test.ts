import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { holdingStage, OURS, PLAN_PATH, processNumbered, workerOf } from '../../../../test/support/holding-stage.ts';
import { opened } from '../../../../test/support/run-events.ts';
import { until } from '../../../../test/support/until.ts';
import { taken } from '../../../../test/support/work-journal.ts';
import { workSettings } from '../../../../test/support/work-spec.ts';
import type { Registers } from '../../../engine/ports/stores.ts';
import type { ReleaseTask } from '../../../journal/effects/work-effect.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import { emptyState } from '../../../journal/state/state.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { holdTask, resetTask } from '../../../plans/holds/hold-task.ts';
import { releaseTask } from '../effects/release-task.ts';
import { watchHeldTasks } from './open-plan-ports.ts';

const POLL_MS = 5;
const reset = { planPath: PLAN_PATH, task: 'a', nowMs: 9 };
const releasing: ReleaseTask = {
  ...{ kind: 'release-task', key: 'release:1', iteration: 1, attempt: 0 },
  ...{ task: 'a', n: 1, state: 'free', branch: null, base: null, tries: 0, feedback: '' },
} as const;

/** A run whose workers hold the tasks a and b. */
async function openRun() {
  const stage = holdingStage();
  let state = given(runStarted(workSettings())).reduce(evolve, emptyState);
  let looks = 0;
  const told: EventBody[] = [];
  const record = (...bodies: readonly EventBody[]) => {
    for (const body of bodies) state = evolve(state, { v: 1, seq: 1, at: 1_000, body });
  };
  for (const [index, task] of ['a', 'b'].entries()) {
    const lane = index + 1;
    await holdTask(stage.crew, { planPath: PLAN_PATH, task, holder: workerOf('r', lane, OURS), key: `take:${lane}`, nowMs: 1 });
    record(taken(task, { lane }), { ...opened(lane), lane } as EventBody);
  }
  const get = async (name: string) => {
    looks += 1;
    return await stage.registers.get(name);
  };
  const tell = async (body: EventBody) => {
    told.push(body);
    record(body);
    return true;
  };
  return {
    ...stage,
    told,
    record,
    state: () => state,
    async aFewLooks() {
      const before = looks;
      await until('it has looked a few times', () => looks > before + 6);
    },
    watch: (registers: Partial<Registers> = {}) =>
      watchHeldTasks({ crew: { registers: { ...stage.registers, get, ...registers } }, planPath: PLAN_PATH, pollMs: POLL_MS })(tell, () => state),
  };
}

describe('held tasks', () => {
  it('are ours as long as their numbers stand', async () => {
    const run = await openRun();
    expect(run.state().open.map(({ currentTask }) => currentTask?.task.id)).toEqual(['a', 'b']);
    await using _watching = run.watch();
    await run.aFewLooks();
    expect(run.told).toEqual([]);
  });

  it('that were reset are lost, reported once, and the others stay', async () => {
    const run = await openRun();
    await using _watching = run.watch();
    await resetTask(run.crew, reset);
    await until('it is told', () => run.told.length > 0);
    await run.aFewLooks();
    expect(run.told).toEqual([{ type: 'task.lost', task: 'a', n: 1, why: 'it was reset' }]);
  });

  it('that another holds by now are reported with its name', async () => {
    const run = await openRun();
    await resetTask(run.crew, reset);
    await holdTask(run.crew, { planPath: PLAN_PATH, task: 'a', holder: workerOf('q', 3, processNumbered(2)), key: '', nowMs: 3 });
    await using _watching = run.watch();
    await until('it is told', () => run.told.length > 0);
    expect(run.told).toMatchObject([{ type: 'task.lost', task: 'a', n: 1, why: 'q/3 has it now' }]);
  });

  it('with a damaged register are still ours: nobody has taken the next number', async () => {
    const run = await openRun();
    run.registers.spoil(registerName(PLAN_PATH, 'a'));
    await using _watching = run.watch();
    await run.aFewLooks();
    expect(run.told).toEqual([]);
  });

  it('without a register are lost', async () => {
    const run = await openRun();
    await using _watching = run.watch({ get: async () => null });
    await until('both are told', () => run.told.length === 2);
    expect(run.told).toMatchObject([{ task: 'a', why: 'its register is gone' }, { task: 'b' }]);
  });

  it('that we released ourselves are not lost', async () => {
    const run = await openRun();
    await using _watching = run.watch();
    run.record({ type: 'effect.begun', key: releasing.key, effect: releasing });
    const fact = await releaseTask.perform(releasing, run.ports, async () => undefined, new AbortController().signal);
    await run.aFewLooks();
    run.record(fact);
    await run.aFewLooks();
    expect(run.told).toEqual([]);
  });

  it('that we released during a look are not lost either', async () => {
    const run = await openRun();
    const answers: (() => void)[] = [];
    const get = async (name: string) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return await run.registers.get(name);
    };
    await using _watching = run.watch({ get });
    await until('it looks', () => answers.length === 1);
    run.record({ type: 'effect.begun', key: releasing.key, effect: releasing });
    run.record(await releaseTask.perform(releasing, run.ports, async () => undefined, new AbortController().signal));
    answers[0]?.();
    await until('it goes on', () => answers.length === 2);
    expect(run.told).toEqual([]);
  });
});

describe('a watcher of held tasks', () => {
  it('continues after a failed look', async () => {
    const run = await openRun();
    await resetTask(run.crew, reset);
    let looks = 0;
    const get = async (name: string) => {
      looks += 1;
      if (looks <= 3) throw new Error('no look today');
      return await run.registers.get(name);
    };
    await using _watching = run.watch({ get });
    await until('it is told', () => run.told.length === 1);
    expect(looks).toBeGreaterThan(3);
  });

  it('closes at once, and drops the result of a look in progress', async () => {
    const run = await openRun();
    const answers: ((found: null) => void)[] = [];
    const watching = run.watch({ get: () => new Promise<null>((resolve) => answers.push(resolve)) });
    await until('it looks', () => answers.length === 1);
    await watching[Symbol.asyncDispose]();
    answers[0]?.(null);
    await new Promise(setImmediate);
    expect(run.told).toEqual([]);
  });
});
