import { describe, expect, it } from 'vitest';
import { COMPLAINT, childRequest, type Manner } from '../../../../test/contracts/children.ts';
import { memoryChildren } from '../../../../test/support/memory-children.ts';
import { never } from '../../../../test/support/process-request.ts';
import { scriptedWorld } from '../../../../test/support/scripted-world.ts';
import { superviseSettings } from '../../../../test/support/supervise-spec.ts';
import type { TaskFolderPorts } from '../../../engine/ports/ports.ts';
import type { Bus, Children, TaskFolder } from '../../../engine/ports/supervision.ts';
import type { EndChildren, StartChild } from '../../../journal/effects/task-effect.ts';
import { endChildren, startChild } from './children.ts';

const silentBus: Bus = { path: '/bus', post: async () => 'MSG-1', last: async () => [], since: async () => null, bytesSince: async () => null };
const emptyFolder: TaskFolder = {
  done: async () => ({ kind: 'absent' }),
  waitMarker: async () => null,
  refuseDone: async () => null,
  blockedBy: async () => [],
};

function portsWith(children: Children): TaskFolderPorts {
  const { ports } = scriptedWorld({ turns: [], gates: [] }, superviseSettings(), '/nowhere');
  return { ...ports, supervision: { task: emptyFolder, children, taskBus: silentBus, projectBus: silentBus } };
}

function starting(run: string, manner: Manner): StartChild {
  return { kind: 'start-child', key: `child:${run}`, iteration: 1, attempt: 1, child: childRequest(run, manner) };
}

const ending = (...runs: string[]): EndChildren => ({ kind: 'end-children', key: 'children', iteration: 1, attempt: 1, runs });
const report = async () => undefined;

describe('starting a child', () => {
  it('records its process once it has registered', async () => {
    const ports = portsWith(memoryChildren());
    expect(await startChild.perform(starting('a', 'works until it is ended'), ports, report, never)).toEqual({
      type: 'child.started',
      key: 'child:a',
      run: 'a',
      host: 'here',
      boot_id: 'boot',
      pid: 101,
      start_time: '1',
    });
  });

  it('records why it failed', async () => {
    const ports = portsWith(memoryChildren());
    const fact = await startChild.perform(starting('a', 'complains and ends'), ports, report, never);
    expect(fact).toEqual({ type: 'child.refused', key: 'child:a', run: 'a', why: COMPLAINT });
  });

  it('is found after a crash when the child had registered, even if it has ended since', async () => {
    const children = memoryChildren();
    const ports = portsWith(children);
    const effect = starting('a', 'ends at once');
    const fact = await startChild.perform(effect, ports, report, never);
    expect(await startChild.find(effect, ports)).toEqual(fact);
  });

  it('is not found when the child never registered: it may be started again', async () => {
    expect(await startChild.find(starting('a', 'works until it is ended'), portsWith(memoryChildren()))).toBeNull();
  });
});

describe('ending children', () => {
  it('distinguishes children that ended from those that are left', async () => {
    const ports = portsWith({ ...memoryChildren(), end: async () => ({ ended: ['a'], left: ['b'] }) });
    expect(await endChildren.perform(ending('a', 'b'), ports, report, never)).toEqual({ type: 'children.ended', key: 'children', ended: ['a'], left: ['b'] });
  });

  it('is repeated after a crash', async () => {
    expect(await endChildren.find(ending('a'), portsWith(memoryChildren()))).toBeNull();
  });
});
