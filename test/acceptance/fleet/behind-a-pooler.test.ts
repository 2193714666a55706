import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doneOnce, openFleetStage, resultOf } from '../../support/fleet-stage.ts';
import { openPooler, whyNoPooler } from '../../support/pgbouncer.ts';
import { openPostgres, type TestServer } from '../../support/postgres.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';
import { until } from '../../support/until.ts';

describe.skipIf(skipLoudly(whyNoPooler()))('machines behind PgBouncer in transaction mode', () => {
  let server: TestServer;
  let pooler: TestServer;
  beforeAll(async () => {
    server = await openPostgres();
    pooler = await openPooler(server);
  });
  afterAll(async () => {
    await pooler?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  it('work off a plan together, and say that they look again instead of being told', async () => {
    await using stage = await openFleetStage(pooler, ['a', 'b', 'c'], 'await go; work; claim', { machines: 2, edges: [['a', 'c']] });
    const runs = [stage.begin(1), stage.begin(2)];
    for (const { stderr } of runs) await until('it says so', () => stderr().includes('the store passes on no notifications'), 60_000);
    await stage.make('go');
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    expect(
      ends.map(({ code }) => code),
      ends.map(({ stderr }) => stderr).join('\n---\n'),
    ).toEqual([0, 0]);
    expect(resultOf(stage)).toEqual(doneOnce('a', 'b', 'c'));
  });
});
