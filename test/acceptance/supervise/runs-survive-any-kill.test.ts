import { describe, expect, it } from 'vitest';
import { type ChildrenStage, openChildrenStage } from '../../support/children-stage.ts';
import { deepRows } from '../../support/deep.ts';
import { killPid } from '../../support/kill-pid.ts';
import { isRunning } from '../../support/live-processes.ts';
import { until } from '../../support/until.ts';

const ROOT = `
  await ralph('job', '--detach', ...child(': > up-child; while :; do sleep 0.1; done'));
  await made('up-child');
  make('up');
  await new Promise(() => setInterval(() => undefined, 1000));
`;

type Standings = Readonly<Record<string, string>>;

/** From the journals and the process table, without our own code: the state of a run without an ending is that of its process. */
function truth(stage: ChildrenStage): Standings {
  return Object.fromEntries(stage.runs().map(({ run, pid, stopReason }) => [run, stopReason ?? (isRunning(pid) ? 'running' : 'dead')]));
}

async function told(stage: ChildrenStage): Promise<Standings> {
  const { result } = await stage.ralph(['runs', 'list', '--json']);
  const { runs } = result as unknown as { readonly runs: readonly { readonly run_id: string; readonly state: string }[] };
  return Object.fromEntries(runs.map(({ run_id, state }) => [run_id, state]));
}

/** The guardian is running too, so only what did not change meanwhile can be compared. */
async function expectTruth(stage: ChildrenStage): Promise<void> {
  for (;;) {
    const before = truth(stage);
    const standings = await told(stage);
    if (JSON.stringify(truth(stage)) !== JSON.stringify(before)) continue;
    return expect(standings).toEqual(before);
  }
}

const ORDERS = [
  ['supervisor', 'child', 'root'],
  ['supervisor', 'root', 'child'],
  ['root', 'supervisor', 'child'],
  ['root', 'child', 'supervisor'],
  ['child', 'supervisor', 'root'],
  ['child', 'root', 'supervisor'],
] as const;

const rows = deepRows(
  'the first order has a moment of every kind, and what runs list tells of each is held in test/acceptance/supervise/runs-tell-the-truth.test.ts',
  ORDERS,
  1,
);

describe.each(rows)('when %s, then %s, then %s of a real supervisor are killed', (...order) => {
  it('the runs are reported correctly, nothing is left running, and the run can be resumed', async () => {
    await using stage = await openChildrenStage();
    const { ended } = await stage.begin(ROOT, '--restart-delay', '1h');
    await stage.made('up');
    const [supervisor, child] = stage.runs();
    const root = Number(supervisor?.events.find(({ type }) => type === 'attempt.spawned')?.['pid']);
    const pids = { supervisor: supervisor?.pid ?? 0, root, child: child?.pid ?? 0 };
    await expectTruth(stage);
    for (const member of order) {
      if (isRunning(pids[member])) killPid(pids[member], 'SIGKILL');
      await until(`${member} is gone`, () => !isRunning(pids[member]));
      await expectTruth(stage);
    }
    await ended;
    await until('nothing is left', () => stage.processes().length === 0, 30_000);
    await expectTruth(stage);
    expect((await told(stage))[`${supervisor?.run}`]).toBe('dead');

    await stage.make('.ralph/tasks/p/work/DONE');
    const unrecorded = await told(stage);
    const resumed = await stage.ralph(['runs', 'resume', `${supervisor?.run}`, '--json']);
    expect(unrecorded[`${supervisor?.run}`]).toBe('done');
    expect(resumed).toMatchObject({ code: 0, result: { run_id: supervisor?.run, stop_reason: 'completed' } });
  });
});
