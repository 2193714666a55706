import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { us } from '../../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { workSettings } from '../../../../test/support/work-spec.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import { emptyState } from '../../../journal/state/state.ts';
import type { TaskRegister } from '../../../journal/words/task-register.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { runView } from '../../../report/views/run-view.ts';
import type { RunStatus } from '../../../runs/run-status.ts';
import { openFileRegisters } from '../../../store/registers-files.ts';
import { isStale, readHeartbeat } from './log-entry.ts';
import { workStatus } from './work-status.ts';

const PLAN = 'task-graph.yaml';
const HOUR_MS = 3_600_000;
const NOW = 10 * HOUR_MS;

const GRAPH = `version: "1.0"
nodes:
  - {id: T-1, title: One, status: complete, priority: 1}
  - {id: T-2, title: Two, status: pending, priority: 2}
  - {id: T-3, title: Three, status: pending, priority: 1}
  - {id: T-4, title: Four, status: pending, priority: 1}
  - {id: T-5, title: Five, status: pending, priority: 1}
  - {id: T-6, title: Six, status: in-progress, priority: 1}
  - {id: T-7, title: Seven, status: pending, priority: 1}
edges:
  - {from: T-2, to: T-7}
`;

async function openPlace(graph = GRAPH) {
  const folder = await openThrowAwayFolder();
  const [home, shared] = [join(folder.path, 'home'), join(folder.path, 'shared')];
  const logs = join(home, 'logs');
  await mkdir(logs, { recursive: true });
  await mkdir(join(shared, 'registers'), { recursive: true });
  await writeFile(join(home, PLAN), graph);
  const state = given(runStarted(workSettings({ home, logs }))).reduce(evolve, emptyState);
  const status: RunStatus = { ...runView(state, 0), run_folder: join(shared, 'runs', 'r') };
  const registers = openFileRegisters(join(shared, 'registers'));
  const put = (task: string, over: Partial<TaskRegister>) =>
    registers.put(registerName(PLAN, task), 1, { state: 'held', holder: null, key: '', at: NOW, branch: null, base: null, tries: 0, feedback: '', ...over });
  return { logs, status, put, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const lane = () => {
  const { host, bootId, pid, startTime } = us();
  return { name: 'r/1', run: 'r', lane: 1, process: { host, boot_id: bootId, pid, start_time: startTime } };
};
const alice = { name: 'alice', run: null, lane: null, process: null };

describe('the status of a run on a plan', () => {
  it('shows who holds which task, what is ready, what is stale and what is left for a person', async () => {
    await using place = await openPlace();
    await place.put('T-3', { holder: lane(), at: NOW - 5_000 });
    await place.put('T-4', { holder: alice, at: NOW - 3 * HOUR_MS });
    await place.put('T-5', { state: 'failed' });
    const { plan_now } = (await workStatus(place.status, NOW)) ?? {};
    expect(plan_now).toEqual({
      problem: null,
      counts: { complete: 1, held: 3, parked: 0, failed: 1, conflict: 0, blocked: 0, waiting: 1, ready: 1 },
      held: [
        { task: 'T-3', holder: 'r/1', run: 'r', lane: 1, liveness: 'alive', since: NOW - 5_000, n: 1 },
        { task: 'T-4', holder: 'alice', run: null, lane: null, liveness: 'named', since: NOW - 3 * HOUR_MS, n: 1 },
        { task: 'T-6', holder: null, run: null, lane: null, liveness: 'outside', since: null, n: null },
      ],
      ready: [{ task: 'T-2', title: 'Two' }],
      stale: [{ id: 'T-4', holder: 'alice', heldMs: 3 * HOUR_MS }],
      left: [{ task: 'T-5', state: 'failed' }],
    });
  });

  it('says what is wrong with an unreadable plan, and still shows the rest', async () => {
    await using place = await openPlace('nodes: [\n');
    await writeFile(join(place.logs, 'ralph.jsonl'), '{"timestamp":"t","iteration":1,"action":"started","outcome":"o"}\n');
    expect(await workStatus(place.status, NOW)).toMatchObject({
      last_entries: [{ iteration: 1 }],
      plan_now: { problem: expect.stringContaining(PLAN), counts: null, ready: [] },
    });
  });

  it('is null for any other run', async () => {
    await using place = await openPlace();
    expect(await workStatus({ ...place.status, work: null }, NOW)).toBeNull();
  });
});

describe('the heartbeat of a run on a plan', () => {
  it.each([
    ['1970-01-01T09:00:00.000Z\n', HOUR_MS, false],
    ['1970-01-01T09:00:00Z', HOUR_MS, false],
    ['1970-01-01T08:59:59.999Z', HOUR_MS + 1, true],
    ['2999-01-01T00:00:00Z', 0, false],
    ['nonsense', null, true],
    ['', null, true],
  ])('of %j has its age', async (text, age_ms, stale) => {
    await using place = await openPlace();
    await writeFile(join(place.logs, 'ralph.heartbeat'), text);
    const heartbeat = readHeartbeat(place.logs, NOW);
    expect([heartbeat.age_ms, isStale(heartbeat, HOUR_MS)]).toEqual([age_ms, stale]);
  });

  it('is as bad when it is missing as when it is old', async () => {
    await using place = await openPlace();
    expect(isStale(readHeartbeat(place.logs, NOW), HOUR_MS)).toBe(true);
  });
});
