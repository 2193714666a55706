import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDoor } from '../../../src/door/door.ts';
import type { EventBody } from '../../../src/journal/events/journal-event.ts';
import { evolve } from '../../../src/journal/evolve/evolve.ts';
import { emptyState, type OpenIteration, type RunState } from '../../../src/journal/state/state.ts';
import { writePlanHome } from '../../../src/plans/tasks/open-tasks.ts';
import { thisProcess } from '../../../src/runs/this-process.ts';
import { given, runStarted } from '../../support/given.ts';
import { testSettings } from '../../support/run-settings.ts';
import { until } from '../../support/until.ts';
import { laneOf, openTaskStage, type TaskStage } from './task-stage.ts';

let stage: TaskStage;
let worktree = '';
beforeEach(async () => {
  stage = await openTaskStage();
  worktree = stage.worktree('T-1.1', 'ralph/T-1.1');
  await writePlanHome(join(stage.place.path, '.git'), { plan: { kind: 'task-graph', path: 'task-graph.yaml' }, home: stage.place.path });
  await stage.taskIn({ env: laneOf(thisProcess()) }, 'claim', 'T-1');
});
afterEach(() => stage[Symbol.asyncDispose]());

/** The agent of worker 1, with its fencing number and the socket of its loop. */
const agent = (n: number, socket = '') => ({ cwd: worktree, env: { RALPH_TASK_ID: 'T-1', RALPH_TASK_FENCE: `${n}`, RALPH_SOCKET: socket } });
const dead = { ...thisProcess(), start_time: '1' };
const ownPlan = () => readFileSync(join(worktree, 'task-graph.yaml'), 'utf8');
const NOTED = '✓ T-1 is noted as complete\n  The loop itself checks its outputs and runs its verify commands once you have ended.\n';

interface Loop extends AsyncDisposable {
  readonly socket: string;
  readonly told: readonly EventBody[];
}

/** A loop of `ralph work`, or another, that holds T-1 under number 1. */
async function openLoop(recipe: 'work' | 'supervise' = 'work'): Promise<Loop> {
  const folder = join(stage.place.beside, 'door');
  await mkdir(folder, { mode: 0o700 });
  const socket = join(folder, 'r.sock');
  const currentTask = { task: { id: 'T-1', title: '' }, n: 1, isClaimed: false, abandonedBecause: null };
  const open = [{ number: 1, worker: 1, openedAtMs: 1, currentTask } as unknown as OpenIteration];
  const state: RunState = { ...given(runStarted(testSettings({ recipe }))).reduce(evolve, emptyState), open };
  const told: EventBody[] = [];
  const door = openDoor(socket, () => 5_000)(
    async (event) => told.push(event) > 0,
    () => state,
  );
  await until('it is open', () => existsSync(socket));
  return { socket, told, [Symbol.asyncDispose]: () => door[Symbol.asyncDispose]() };
}

describe('the agent of a loop', () => {
  it('has its claim recorded by the loop, and writes nothing itself', async () => {
    await using loop = await openLoop();
    const before = [stage.plan(), ownPlan(), stage.registers()];
    expect(await stage.taskIn(agent(1, loop.socket), 'complete', 'T-1')).toMatchObject({ code: 0, stdout: NOTED, stderr: '' });
    expect(loop.told).toMatchObject([{ type: 'task.claimed', task: 'T-1', n: 1 }]);
    expect([stage.plan(), ownPlan(), stage.registers()]).toEqual(before);
  });

  it('gets no more with --force', async () => {
    await using loop = await openLoop();
    const run = await stage.taskIn(agent(1, loop.socket), 'complete', 'T-1', '--force', '--json');
    expect(JSON.parse(run.stdout)).toEqual({ task: 'T-1', result: 'noted', forced: false, unlocked: [], warnings: [] });
  });

  it('is refused for a task of somebody else, even with --force', async () => {
    await using loop = await openLoop();
    for (const force of [[], ['--force']]) {
      const run = await stage.taskIn(agent(1, loop.socket), 'complete', 'T-2', ...force);
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('error: T-2 is not your task: you were given T-1\n') });
    }
    expect(loop.told).toEqual([]);
  });

  it.each([
    ['claim', 'T-2'],
    ['next', '--claim'],
    ['prompt', '--accept'],
    ['reset', 'T-1', '--force'],
  ])('cannot take or free a task itself: %s', async (...args) => {
    const before = stage.registers();
    const run = await stage.taskIn(agent(1), ...args);
    expect(run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: you work on T-1 and may (claim|reset) no task: the loop gives them out\n/),
    });
    expect(stage.registers()).toEqual(before);
  });

  it('with an outdated number is refused in one line', async () => {
    await using loop = await openLoop();
    const run = await stage.taskIn(agent(7, loop.socket), 'complete', 'T-1');
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toBe('error: T-1 is held under number 1: number 7 does not count\nhint: The loop has gone on without you: end here.\n');
    expect(loop.told).toEqual([]);
  });
});

describe('the agent of a loop that does not answer', () => {
  it('writes its claim to the plan of its worktree, where the loop finds it', async () => {
    const before = stage.plan();
    expect(await stage.taskIn(agent(1, '/nowhere/r.sock'), 'complete', 'T-1')).toMatchObject({ code: 0, stdout: NOTED });
    expect(ownPlan()).toMatch(/"T-1".*complete/);
    expect(stage.plan()).toBe(before);
    expect(await stage.json('show', 'T-1')).toMatchObject({ state: 'held' });
  });

  it('does the same if the answering loop has no plan', async () => {
    await using loop = await openLoop('supervise');
    expect((await stage.taskIn(agent(1, loop.socket), 'complete', 'T-1')).code).toBe(0);
    expect(ownPlan()).toMatch(/"T-1".*complete/);
  });

  it.each(['held', 'reset', 'done'])('is refused when its task is %s under a later number', async (fate) => {
    await stage.task('reset', 'T-1', '--force');
    if (fate === 'held') await stage.task('claim', 'T-1');
    if (fate === 'done') await stage.task('complete', 'T-1');
    const before = ownPlan();
    const run = await stage.taskIn(agent(1), 'complete', 'T-1');
    expect(run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: T-1 is no longer yours: you had it under number 1, and it is \w+ under number \d\nhint: .*\n$/),
    });
    expect(ownPlan()).toBe(before);
  });

  it('cannot use an invalid number', async () => {
    const { cwd, env } = agent(1);
    expect((await stage.taskIn({ cwd, env: { ...env, RALPH_TASK_FENCE: '1e3' } }, 'complete', 'T-1')).code).toBe(2);
  });
});

describe('in a worktree of ralph,', () => {
  it('the plan at its home counts', async () => {
    await writeFile(join(worktree, 'task-graph.yaml'), 'nodes: []\n');
    const run = await stage.taskIn({ cwd: worktree }, 'list', '--json');
    expect(JSON.parse(run.stdout)).toMatchObject({ home: stage.place.path, tasks: [{ id: 'T-1', state: 'held' }, { id: 'T-2' }, { id: 'T-3' }] });
  });

  it('a script without a loop completes a task there, and is told to merge', async () => {
    await stage.task('reset', 'T-1', '--force');
    await writeFile(join(worktree, 'more.txt'), 'more');
    stage.place.git('-C', worktree, 'add', '-A');
    stage.place.git('-C', worktree, 'commit', '-q', '-m', 'more');
    await stage.taskIn({ cwd: worktree, env: { RALPH_WORKER: 'script' } }, 'claim', 'T-1');
    const run = await stage.taskIn({ cwd: worktree, env: { RALPH_WORKER: 'script' } }, 'complete', 'T-1');
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('merge them before the next task begins') });
    expect(stage.plan()).toMatch(/"T-1".*complete/);
    expect(ownPlan()).not.toMatch(/"T-1".*complete/);
  });

  it('the task of a dead loop can be taken over from anywhere', async () => {
    await stage.task('reset', 'T-1', '--force');
    await stage.taskIn({ env: laneOf(dead) }, 'claim', 'T-1');
    expect(await stage.taskIn({ cwd: worktree }, 'next', '--claim')).toMatchObject({ code: 0, stdout: 'T-1  Lay the base\n' });
  });
});

describe('the prompt of the current task', () => {
  it('is shown only to the agent that holds it', async () => {
    expect((await stage.taskIn(agent(1), 'prompt', '--current')).stdout).toContain('Your task: T-1 - Lay the base');
    expect(await stage.taskIn(agent(2), 'prompt', '--current')).toMatchObject({ code: 1 });
    expect(await stage.taskIn({ env: { RALPH_WORKER: 'me' } }, 'prompt', '--current')).toMatchObject({ code: 1, stdout: 'No task is claimed by me.\n' });
  });
});
