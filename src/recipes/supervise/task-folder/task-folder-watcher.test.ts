import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { agentBegun, ended, opened } from '../../../../test/support/run-events.ts';
import { superviseSettings } from '../../../../test/support/supervise-spec.ts';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { until } from '../../../../test/support/until.ts';
import type { SendEvent } from '../../../engine/contracts.ts';
import type { Supervision } from '../../../engine/ports/ports.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import { emptyState } from '../../../journal/state/state.ts';
import { openTaskFolder } from './open-task-folder.ts';
import { watchTask } from './task-folder-watcher.ts';

const POLL_MS = 5;

type Parts = Pick<Supervision, 'task' | 'children'>;

/** A task whose children are the files of a folder, and a run with a state. */
async function openRun(dependsOn: readonly string[] = []) {
  const root = await openThrowAwayFolder();
  const folder = join(root.path, 'demo', 'task-001');
  const nursery = join(root.path, 'children');
  await mkdir(folder, { recursive: true });
  await mkdir(nursery);
  let state = given(runStarted(superviseSettings())).reduce(evolve, emptyState);
  let looks = 0;
  const told: EventBody[] = [];
  const record = (...bodies: readonly EventBody[]) => {
    for (const body of bodies) state = evolve(state, { v: 1, seq: told.length + 1, at: 1_000, body });
  };
  const tellAndRecord: SendEvent = async (body) => {
    told.push(body);
    record(body);
    return true;
  };
  const real: Parts = {
    task: openTaskFolder({ folder, dependsOn, runsOf: async () => ({ anyActive: false, newestDone: null }) }),
    children: {
      async active() {
        const found = await readdir(nursery);
        looks += 1;
        return found;
      },
      start: () => Promise.reject(new Error('nobody starts one')),
      find: () => Promise.reject(new Error('nobody looks for one')),
      end: () => Promise.reject(new Error('nobody ends one')),
    },
  };
  return {
    folder,
    project: join(folder, '..'),
    told,
    real,
    record,
    putChild: (run: string) => writeFile(join(nursery, run), ''),
    takeChild: (run: string) => rm(join(nursery, run)),
    /** Long enough to notice everything that exists. */
    async aFewLooks() {
      const before = looks;
      await until('it has looked a few times', () => looks > before + 3);
    },
    watch: (supervision = real, tell = tellAndRecord) => watchTask({ supervision, pollMs: POLL_MS, waits: dependsOn.length > 0 })(tell, () => state),
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  };
}

const done: EventBody = { type: 'done.seen', done: { kind: 'file' } };

describe('DONE', () => {
  it('is reported once while an agent is running, and again when it disappears', async () => {
    await using run = await openRun();
    run.record(opened(1), agentBegun(1));
    await using _watching = run.watch();
    await run.aFewLooks();
    expect(run.told).toEqual([]);
    await writeFile(join(run.folder, 'DONE'), '');
    await until('it is told', () => run.told.length > 0);
    await run.aFewLooks();
    await rm(join(run.folder, 'DONE'));
    await until('it is told again', () => run.told.length > 1);
    await run.aFewLooks();
    expect(run.told).toEqual([done, { type: 'done.seen', done: { kind: 'absent' } }]);
  });

  it('is reported once while no agent is running, too: the run may wait for something else', async () => {
    await using run = await openRun();
    await writeFile(join(run.folder, 'DONE'), '');
    await using _watching = run.watch();
    await until('it is told', () => run.told.length > 0);
    await run.aFewLooks();
    expect(run.told).toEqual([done]);
  });

  it('is reported again for every start of the agent', async () => {
    await using run = await openRun();
    run.record(opened(1), agentBegun(1));
    await using _watching = run.watch();
    await writeFile(join(run.folder, 'DONE'), '');
    await until('it is told', () => run.told.length === 1);
    run.record(ended(1), opened(2), agentBegun(2));
    await until('it is told again', () => run.told.length === 2);
    await run.aFewLooks();
    expect(run.told).toEqual([done, done]);
  });

  it('that was seen during one start is not reported in the next', async () => {
    await using run = await openRun();
    run.record(opened(1), agentBegun(1));
    const answers: (() => void)[] = [];
    const slow = () => new Promise<{ kind: 'file' }>((resolve) => answers.push(() => resolve({ kind: 'file' })));
    await using _watching = run.watch({ ...run.real, task: { ...run.real.task, done: slow } });
    await until('it is looked at', () => answers.length === 1);
    run.record(ended(1), opened(2), agentBegun(2));
    answers[0]?.();
    await until('it is looked at again', () => answers.length === 2);
    expect(run.told).toEqual([]);
  });

  it('is reported as a folder when it is one', async () => {
    await using run = await openRun();
    run.record(opened(1), agentBegun(1));
    await mkdir(join(run.folder, 'DONE'));
    await using _watching = run.watch();
    await until('it is told', () => run.told.length > 0);
    expect(run.told).toEqual([{ type: 'done.seen', done: { kind: 'problem', why: 'DONE is a directory' } }]);
  });
});

describe('children', () => {
  it('are reported when they appear and when they end, and not in between', async () => {
    await using run = await openRun();
    await using _watching = run.watch();
    await run.aFewLooks();
    await run.putChild('a');
    await until('it is told', () => run.told.length === 1);
    await run.aFewLooks();
    await run.takeChild('a');
    await until('its end is told', () => run.told.length === 2);
    await run.aFewLooks();
    expect(run.told).toEqual([
      { type: 'children.seen', active: ['a'] },
      { type: 'children.seen', active: [] },
    ]);
  });

  it('are reported as ended, even those that came and went between two looks', async () => {
    await using run = await openRun();
    run.record({ type: 'child.started', key: 'child:a', run: 'a', host: 'h', boot_id: 'b', pid: 7, start_time: '7' });
    await using _watching = run.watch();
    await until('it is told', () => run.told.length === 1);
    expect(run.told).toEqual([{ type: 'children.seen', active: [] }]);
  });

  it('are the same in any order', async () => {
    await using run = await openRun();
    run.record({ type: 'children.seen', active: ['b', 'a'] });
    await run.putChild('a');
    await run.putChild('b');
    await using _watching = run.watch();
    await run.aFewLooks();
    expect(run.told).toEqual([]);
  });

  it('that were started during a look are not missed', async () => {
    await using run = await openRun();
    run.record({ type: 'children.seen', active: ['a'] });
    const answers: ((active: readonly string[]) => void)[] = [];
    const active = () => new Promise<readonly string[]>((resolve) => answers.push(resolve));
    await using _watching = run.watch({ ...run.real, children: { ...run.real.children, active } });
    await until('it looks', () => answers.length === 1);
    run.record({ type: 'child.started', key: 'child:b', run: 'b', host: 'h', boot_id: 'b', pid: 7, start_time: '7' });
    answers[0]?.([]);
    await until('it looks again', () => answers.length === 2);
    expect(run.told).toEqual([]);
  });
});

describe('awaited tasks', () => {
  it('are reported until the first start of the agent', async () => {
    await using run = await openRun(['task-a', 'task-b']);
    await using _watching = run.watch();
    await until('they are told', () => run.told.length === 1);
    await mkdir(join(run.project, 'task-a'));
    await writeFile(join(run.project, 'task-a', 'DONE'), '');
    await until('one less is told', () => run.told.length === 2);
    run.record(opened(1));
    await mkdir(join(run.project, 'task-b'));
    await writeFile(join(run.project, 'task-b', 'DONE'), '');
    await run.aFewLooks();
    expect(run.told).toEqual([
      {
        type: 'dependencies.seen',
        blocked_by: [
          { task: 'task-a', why: 'missing' },
          { task: 'task-b', why: 'missing' },
        ],
      },
      { type: 'dependencies.seen', blocked_by: [{ task: 'task-b', why: 'missing' }] },
    ]);
  });
});

describe('a watcher of a task', () => {
  it('continues after a failed look, and lets no look block another', async () => {
    await using run = await openRun();
    run.record(opened(1), agentBegun(1));
    await writeFile(join(run.folder, 'DONE'), '');
    let looks = 0;
    const done = async () => {
      looks += 1;
      if (looks <= 3) throw new Error('no look today');
      return await run.real.task.done();
    };
    const active = () => new Promise<readonly string[]>(() => undefined);
    await using _watching = run.watch({ task: { ...run.real.task, done }, children: { ...run.real.children, active } });
    await until('it is told', () => run.told.length === 1);
    expect(looks).toBeGreaterThan(3);
  });

  it('never looks twice at once, not even while its report is recorded', async () => {
    await using run = await openRun();
    await run.putChild('a');
    const said: string[] = [];
    const tell: SendEvent = async () => {
      said.push('begin');
      await new Promise((resolve) => setTimeout(resolve, 10 * POLL_MS));
      said.push('end');
      return true;
    };
    await using _watching = run.watch(run.real, tell);
    await until('it has told twice', () => said.length >= 4);
    expect(said.slice(0, 4)).toEqual(['begin', 'end', 'begin', 'end']);
  });

  it('closes at once, and drops the result of a look in progress', async () => {
    await using run = await openRun();
    const answers: ((active: readonly string[]) => void)[] = [];
    const active = () => new Promise<readonly string[]>((resolve) => answers.push(resolve));
    const watching = run.watch({ ...run.real, children: { ...run.real.children, active } });
    await until('it looks', () => answers.length === 1);
    await watching[Symbol.asyncDispose]();
    answers[0]?.(['a']);
    await new Promise(setImmediate);
    expect(run.told).toEqual([]);
  });
});
