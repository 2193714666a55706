import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { deepIt } from '../../support/deep.ts';
import { openFleetStage, resultOf, uncopiedRuns } from '../../support/fleet-stage.ts';
import { killPid } from '../../support/kill-pid.ts';
import { openPostgres, whyNoPostgres } from '../../support/postgres.ts';
import type { RunningRalph } from '../../support/ralph.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';

const TASKS = Array.from({ length: 60 }, (_, index) => `t${index + 1}`);
/** Each third task needs the one before. */
const EDGES = TASKS.flatMap((task, index) => (index % 3 === 2 ? [[TASKS[index - 1] ?? '', task] as const] : []));
const MACHINES = [1, 2, 3];
const LEASE_MS = 6_000;
const HOUR_MS = 3_600_000;
const MOST_STARTS = 80;

const isLeftOut = skipLoudly(whyNoPostgres());

deepIt('sixty tasks with three machines take minutes')(
  'workers are killed and put to sleep, two clocks are hours off, the database crashes, its connections are cut and freeze for longer than the lease, and another fleet wants the remote: each of sixty tasks is merged once',
  async () => {
    if (isLeftOut) return;
    await using server = await openPostgres();
    await using proxy = await openTcpProxy(server.port);
    const throughTheProxy = async () => {
      const url = new URL(await server.database());
      url.port = `${proxy.port}`;
      return url.href;
    };
    await using stage = await openFleetStage({ ...server, database: throughTheProxy }, TASKS, 'work; claim', {
      ...{ edges: EDGES, lease: `${LEASE_MS}ms`, skewMs: { 2: 5 * HOUR_MS, 3: -7 * HOUR_MS } },
    });
    const other = await server.database();
    const refusals: string[] = [];
    const isDone = () => resultOf(stage).open === 0;
    const running = new Map<number, RunningRalph>();
    const starts: string[] = [];
    const keepAtWork = async (machine: number) => {
      while (!isDone()) {
        if (starts.length === MOST_STARTS) throw new Error(`too many starts:\n${starts.join('\n---\n')}`);
        const worker = stage.begin(machine, '--workers', '2');
        running.set(machine, worker);
        const { code, stderr } = await worker.ended;
        starts.push(`machine ${machine} ended with ${code}: ${stderr.split('\n').filter((line) => line.startsWith('error:'))}`);
      }
    };
    const trouble: readonly ((victim: RunningRalph) => Promise<void>)[] = [
      async ({ child }) => void child.kill('SIGKILL'),
      async () => proxy.cut(),
      async ({ child }) => {
        killPid(child.pid, 'SIGSTOP');
        // As long as a lease: others have taken over when it wakes up.
        await sleep(LEASE_MS);
        if (child.exitCode === null) killPid(child.pid, 'SIGCONT');
      },
      async () => {
        await server.crash();
        await server.start();
      },
      async () => {
        proxy.freeze(true);
        await sleep(LEASE_MS / 2);
        proxy.freeze(false);
      },
      async () => {
        proxy.freeze(true);
        // Nobody can prove that it lives: all end their agents, and go on later.
        await sleep(1.5 * LEASE_MS);
        proxy.freeze(false);
      },
      async () => {
        for (const words of [
          ['fleet', 'init'],
          ['work', '--agent', 'true'],
        ])
          refusals.push((await stage.ralph(1, ...words, '--store', other)).stderr);
      },
    ];
    let isOver = false;
    const makeTrouble = async () => {
      for (let nth = 0; nth < 20 && !isOver; nth += 1) {
        const before = stage.calls().length;
        await until('there is progress', () => isOver || stage.calls().length >= before + 3, 120_000);
        const victim = running.get((nth % MACHINES.length) + 1);
        if (!isOver && victim !== undefined && victim.child.exitCode === null) await trouble[nth % trouble.length]?.(victim);
      }
    };
    const working = Promise.all(MACHINES.map(keepAtWork)).finally(() => {
      isOver = true;
    });
    await Promise.all([working, makeTrouble()]);
    expect(resultOf(stage), starts.join('\n')).toMatchObject({ merged: TASKS.toSorted(), open: 0 });
    expect(refusals.filter((text) => !text.includes('the remote origin belongs to a fleet that'))).toEqual([]);
    expect(refusals.length).toBeGreaterThan(0);
    expect(await uncopiedRuns(stage, server, MACHINES, true)).toEqual([]);
    console.info(`${starts.length} starts, ${stage.calls().length} calls of agents\n${starts.join('\n')}`);
  },
  1_200_000,
);
