import { describe, expect, it } from 'vitest';
import { memoryBus } from '../../../../test/support/memory-bus.ts';
import { memoryChildren } from '../../../../test/support/memory-children.ts';
import { never } from '../../../../test/support/process-request.ts';
import { scriptedWorld } from '../../../../test/support/scripted-world.ts';
import { superviseSettings } from '../../../../test/support/supervise-spec.ts';
import type { TaskFolderPorts } from '../../../engine/ports/ports.ts';
import type { Bus, TaskFolder } from '../../../engine/ports/supervision.ts';
import type { LookAtTask, Post } from '../../../journal/effects/task-effect.ts';
import type { NewBusMessage } from '../../../journal/messages.ts';
import { post } from './post.ts';
import { lookAtTask, refuseDone } from './task-folder.ts';

const emptyFolder: TaskFolder = {
  done: async () => ({ kind: 'absent' }),
  waitMarker: async () => null,
  refuseDone: async () => null,
  blockedBy: async () => [],
};

function portsWith({ task = emptyFolder, bus = memoryBus() as Bus } = {}): TaskFolderPorts {
  const { ports } = scriptedWorld({ turns: [], gates: [] }, superviseSettings(), '/nowhere');
  return { ...ports, supervision: { task, children: memoryChildren(), taskBus: bus, projectBus: bus } };
}

const report = async () => undefined;
const looking = (over: Partial<LookAtTask>): LookAtTask => ({
  kind: 'look-at-task',
  key: 'look:1',
  iteration: 0,
  attempt: 0,
  before: 0,
  after_an_attempt: over.before === undefined,
  since: null,
  ...over,
});
const look = (ports: TaskFolderPorts, over: Partial<LookAtTask> = {}) => lookAtTask.perform(looking(over), ports, report, never);
const message = (type: string, body: string): NewBusMessage => ({ type, project_id: 'p', body });
const broken: Bus = {
  path: '/bus',
  post: () => Promise.reject(new Error('it is a symbolic link')),
  last: () => Promise.reject(new Error('it is a symbolic link')),
  since: () => Promise.reject(new Error('it is a symbolic link')),
  bytesSince: () => Promise.reject(new Error('it is a symbolic link')),
};

describe('a look at the task', () => {
  it('reports what exists', async () => {
    const bus = memoryBus();
    const mark = await bus.post(message('INFO', 'hello'));
    const task: TaskFolder = { ...emptyFolder, done: async () => ({ kind: 'file' }), blockedBy: async () => [{ task: 'a', why: 'failed' }] };
    expect(await look(portsWith({ task, bus }), { before: 1 })).toEqual({
      type: 'task.seen',
      key: 'look:1',
      before: 1,
      done: { kind: 'file' },
      wait: null,
      children: [],
      blocked_by: [{ task: 'a', why: 'failed' }],
      bus_mark: mark,
    });
  });

  it('accepts a request to wait only from the last start of the agent', async () => {
    const bus = memoryBus();
    await bus.post(message('wait_without_restart', 'of an earlier life'));
    const since = await bus.post(message('INFO', 'the life begins'));
    expect(await look(portsWith({ bus }), { since })).toMatchObject({ wait: null });
    await bus.post(message('WAIT_WITHOUT_RESTART', 'for the review'));
    expect(await look(portsWith({ bus }), { since })).toMatchObject({ wait: { by: 'bus', reason: 'for the review' } });
    expect(await look(portsWith({ bus }), { before: 2 })).toMatchObject({ wait: null });
  });

  it('accepts no request to wait from another run, such as a child, and puts the reason on one line', async () => {
    const bus = memoryBus();
    await bus.post({ ...message('wait_without_restart', 'first\nsecond \u001b[31mred'), run_id: 'run-1' });
    await bus.post({ ...message('wait_without_restart', 'me, the child'), run_id: 'run-2' });
    const { place, ...ports } = portsWith({ bus });
    expect(await look({ ...ports, place: { ...place, runFolder: '/runs/run-1' } })).toMatchObject({ wait: { by: 'bus', reason: 'first second red' } });
  });

  it('counts everything left on the bus as newer when the bus was rotated', async () => {
    const bus = memoryBus();
    await bus.post(message('wait_without_restart', ''));
    expect(await look(portsWith({ bus }), { since: 'MSG-gone' })).toMatchObject({ wait: { by: 'bus', reason: expect.stringContaining('bus') } });
  });

  it('sees the marker before the first start too', async () => {
    const task = { ...emptyFolder, waitMarker: async () => '' };
    expect(await look(portsWith({ task }), { before: 3 })).toMatchObject({ wait: { by: 'marker', reason: 'WAIT_WITHOUT_RESTART is there' } });
  });

  it('does without a bus that an agent has damaged', async () => {
    expect(await look(portsWith({ bus: broken }))).toMatchObject({ wait: null, bus_mark: null });
  });
});

describe('a refused DONE', () => {
  it('is reported by its new name, and by none when it is already gone', async () => {
    const task = { ...emptyFolder, refuseDone: async (number: number) => `DONE.refused-${number}` };
    const effect = { kind: 'refuse-done', key: 'refuse-done:2', iteration: 0, attempt: 0, number: 2 } as const;
    expect(await refuseDone.perform(effect, portsWith({ task }), report, never)).toMatchObject({ renamed: 'DONE.refused-2' });
    expect(await refuseDone.perform(effect, portsWith(), report, never)).toMatchObject({ renamed: null });
  });
});

describe('a message that must be posted exactly once', () => {
  const fact = { ...message('FACT', 'done'), meta: { propagation_key: 'run-1' } };
  const effect: Post = { kind: 'post', key: 'post:completion', iteration: 0, attempt: 0, bus: 'project', message: fact };

  it('is found again by its key, and by no other', async () => {
    const bus = memoryBus();
    const ports = portsWith({ bus });
    await bus.post({ ...fact, meta: { propagation_key: 'run-2' } });
    expect(await post.find(effect, ports)).toBeNull();
    const posted = await post.perform(effect, ports, report, never);
    expect(posted).toMatchObject({ type: 'posted', problem: null });
    expect(await post.find(effect, ports)).toEqual(posted);
  });

  it('is reported when the bus does not accept it', async () => {
    expect(await post.perform(effect, portsWith({ bus: broken }), report, never)).toMatchObject({ msg_id: null, problem: 'it is a symbolic link' });
    expect(await post.find(effect, portsWith({ bus: broken }))).toBeNull();
  });
});
