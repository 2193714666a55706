import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetOfFleet, openSharedBudget, setFleetBudget } from '../../src/store/postgres/budget.ts';
import { addFleet } from '../../src/store/postgres/fleets.ts';
import { knownMigrations, migrate } from '../../src/store/postgres/migrations.ts';
import { type Database, openDatabase } from '../../src/store/postgres/open-database.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../support/postgres.ts';
import { skipLoudly } from '../support/skip-loudly.ts';

describe.skipIf(skipLoudly(whyNoPostgres()))('the budget of a fleet', () => {
  let server: TestServer;
  let database: Database;
  let fleet = '';
  let fleets = 0;

  beforeAll(async () => {
    server = await openPostgres();
    database = await openDatabase(await server.database());
    await migrate(database, await knownMigrations());
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const openFleet = async (usd: number | null) => {
    fleets += 1;
    fleet = `fleet-${fleets}`;
    await addFleet(database, { id: fleet, name: fleet, leaseMs: 30_000 });
    if (usd !== null) await setFleetBudget(database, fleet, usd);
  };
  /** A worker process with that many workers. */
  const join = async (run: string, workers = 1) => {
    await database.query(
      "insert into ralph.sessions (fleet, id, run, host, about, lease_until) values ($1, $2, $2, 'here', $3, clock_timestamp() + interval '1 hour') on conflict do nothing",
      [fleet, run, JSON.stringify({ workers })],
    );
    const onOver = () => {
      throw new Error('over');
    };
    return openSharedBudget({ query: database.query, fleet, run, session: run, onOver });
  };
  const die = (run: string) =>
    database.query("update ralph.sessions set lease_until = clock_timestamp() - interval '1 s' where fleet = $1 and id = $2", [fleet, run]);

  it('is divided among the workers, and none plans to spend what another has reserved', async () => {
    await openFleet(10);
    const [one, other] = [await join('one', 2), await join('other', 2)];
    expect(await one.reserve('1.1', null)).toEqual({ kind: 'granted', usd: 2.5 });
    expect(await other.reserve('1.1', 1)).toEqual({ kind: 'granted', usd: 1 });
    expect(await other.reserve('2.1', null)).toEqual({ kind: 'granted', usd: 3.25 });
    expect(await one.reserve('2.1', null)).toEqual({ kind: 'granted', usd: 3.25 });
    expect(await one.reserve('3.1', null)).toEqual({ kind: 'wait', limitUsd: 10, spentUsd: 0 });
    await one.settle('1.1', 0.5);
    expect(await one.reserve('3.1', null)).toEqual({ kind: 'granted', usd: 2 });
    expect(await budgetOfFleet(database, fleet)).toEqual({ limitUsd: 10, spentUsd: 0.5, reservedUsd: 9.5 });
  });

  it('is never spent twice, whoever asks at the same time', async () => {
    await openFleet(1);
    const workers = await Promise.all(Array.from({ length: 20 }, (_, index) => join(`run-${index}`)));
    let spent = 0;
    let waits = 0;
    for (let round = 1; round <= 40; round += 1) {
      const answers = await Promise.all(workers.map((worker) => worker.reserve(`${round}.1`, 0.3)));
      const granted = answers.flatMap((answer, index) => (answer.kind === 'granted' ? [{ index, usd: answer.usd ?? Number.POSITIVE_INFINITY }] : []));
      expect(spent + granted.reduce((sum, { usd }) => sum + usd, 0)).toBeLessThanOrEqual(1.000001);
      waits += answers.filter(({ kind }) => kind === 'wait').length;
      if (granted.length === 0) break;
      spent += granted.reduce((sum, { usd }) => sum + usd, 0);
      await Promise.all(granted.map(async ({ index, usd }) => workers[index]?.settle(`${round}.1`, usd)));
    }
    expect(await workers[0]?.reserve('99.1', null)).toMatchObject({ kind: 'spent', limitUsd: 1 });
    expect(spent).toBeGreaterThan(0.98);
    expect(waits).toBe(0);
  });

  it('gets back what a dead worker has reserved, and that one can neither reserve nor settle any more', async () => {
    await openFleet(10);
    const [one, other] = [await join('one'), await join('other')];
    await one.reserve('1.1', 8);
    await one.reserve('2.1', 8);
    expect(await other.reserve('1.1', 8)).toMatchObject({ kind: 'wait' });
    await die('one');
    expect(await other.reserve('1.1', 8)).toEqual({ kind: 'granted', usd: 8 });
    await expect(one.settle('1.1', 3)).rejects.toThrow('over');
    await expect(one.reserve('3.1', 1)).rejects.toThrow('over');
    expect(await budgetOfFleet(database, fleet)).toEqual({ limitUsd: 10, spentUsd: 0, reservedUsd: 8 });
  });

  it('does not depend on what workers say of themselves', async () => {
    await openFleet(10);
    for (const [run, about] of Object.entries({ text: { workers: 'x' }, huge: { workers: 1e300 }, less: { workers: -4 }, list: [] }))
      await database.query(
        "insert into ralph.sessions (fleet, id, run, host, about, lease_until) values ($1, $2, $2, 'here', $3, clock_timestamp() + interval '1 hour')",
        [fleet, run, JSON.stringify(about)],
      );
    expect(await budgetOfFleet(database, fleet)).toEqual({ limitUsd: 10, spentUsd: 0, reservedUsd: 0 });
    const one = await join('one');
    expect(await one.reserve('1.1', 1)).toMatchObject({ kind: 'granted' });
  });

  it('counts an attempt once, one that said nothing as an expensive one, and from now on when it is set anew', async () => {
    await openFleet(null);
    const one = await join('one');
    expect(await one.reserve('1.1', null)).toEqual({ kind: 'granted', usd: null });
    for (const usd of [2, 2]) await one.settle('1.1', usd);
    await one.settle('2.1', null);
    expect(await budgetOfFleet(database, fleet)).toEqual({ limitUsd: null, spentUsd: 4, reservedUsd: 0 });
    await setFleetBudget(database, fleet, 3);
    expect(await one.reserve('3.1', null)).toEqual({ kind: 'granted', usd: 3 });
  });
});
