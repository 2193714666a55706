import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinFleet } from '../../src/fleet/join-fleet.ts';
import { openScope } from '../../src/kit/async/scope.ts';
import { addFleet, forgetPlan, joinPlan, plansOf } from '../../src/store/postgres/fleets.ts';
import { checkMigrations, knownMigrations, migrate } from '../../src/store/postgres/migrations.ts';
import { type Database, openDatabase } from '../../src/store/postgres/open-database.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../support/postgres.ts';
import { skipLoudly } from '../support/skip-loudly.ts';
import { until } from '../support/until.ts';

describe.skipIf(skipLoudly(whyNoPostgres()))('the tables of a store', () => {
  let server: TestServer;
  let url: string;
  const opened: Database[] = [];
  const open = async () => {
    const database = await openDatabase(url);
    opened.push(database);
    return database;
  };
  beforeAll(async () => {
    server = await openPostgres();
    url = await server.database();
  });
  afterAll(async () => {
    for (const database of opened) await database[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it('are made once by whoever is first, and by nobody in part', async () => {
    const known = await knownMigrations();
    const names = known.map(({ name }) => name);
    const broken = [...known, { version: 9_000, name: '9000-broken.sql', sql: 'create table ralph.half (id integer); select 1 / 0' }];
    const machines = [await open(), await open(), await open()];
    await expect(migrate(await open(), broken)).rejects.toThrow('division by zero');
    expect(await server.ask(url, "select to_regclass('ralph.half') as half, to_regclass('ralph.fleets') as fleets")).toEqual([{ half: null, fleets: null }]);
    const done = await Promise.all(machines.map(async (database) => await migrate(database, known)));
    expect(done.filter((one) => one.length > 0)).toEqual([names]);
    expect(await migrate(await open(), known)).toEqual([]);
  });

  it('are brought up to date step by step, and a ralph of another version is refused in both directions', async () => {
    url = await server.database();
    const known = await knownMigrations();
    const [old, database] = [known.slice(0, 1), await open()];
    await migrate(database, old);
    await addFleet(database, { id: 'f', name: 'f', leaseMs: 30_000 });
    await expect(checkMigrations(database, known)).rejects.toThrow(/are of version 1, and this ralph needs \d+$/);
    expect(await migrate(database, known)).toEqual(known.slice(1).map(({ name }) => name));
    await checkMigrations(database, known);
    expect(await server.ask(url, 'select name, budget_usd from ralph.fleets')).toEqual([{ name: 'f', budget_usd: null }]);
    await expect(checkMigrations(database, old)).rejects.toThrow(/and this ralph knows 1$/);
    await expect(migrate(database, old)).rejects.toThrow(/and this ralph knows 1$/);
  });

  it('let many machines join a plan at once, all on the branch of the first', async () => {
    const machines = [await open(), await open(), await open(), await open()];
    const joined = await Promise.allSettled(
      machines.map((database, nth) => joinPlan(database, 'f', { path: 'plan.yaml', base: nth % 2 === 0 ? 'main' : 'next' })),
    );
    const [plan] = await plansOf(await open(), 'f');
    expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(joined.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual(
      Array(2).fill(expect.stringContaining(`works off plan.yaml on the branch ${plan?.base}`)),
    );
  });

  it('let nobody join a plan on a branch that is being forgotten', async () => {
    const [owner, worker] = [await open(), await open()];
    await joinPlan(owner, 'f', { path: 'moved.yaml', base: 'old' });
    const joined: Promise<void>[] = [];
    await owner.transaction(async (query) => {
      await query("select 1 from ralph.plans where path = 'moved.yaml' for update");
      joined.push(joinPlan(worker, 'f', { path: 'moved.yaml', base: 'new' }));
      await until('the worker waits', async () => (await server.ask(url, 'select 1 from pg_locks where not granted')).length > 0);
      await query("delete from ralph.plans where path = 'moved.yaml'");
    });
    await Promise.all(joined);
    expect(await plansOf(owner, 'f')).toContainEqual({ path: 'moved.yaml', base: 'new' });
  });

  it('refuse a session whose plan was forgotten before it began and is on another branch by now, and keep one that has joined', async () => {
    const database = await open();
    const join = async (base: string) => {
      await using scope = openScope();
      const process = { host: 'here', boot_id: base, pid: 1, start_time: '1' };
      const plan = { path: 'late.yaml', base };
      const request = { runFolder: `/nowhere/${base}`, process, env: {}, plan, about: { plan: plan.path }, publicKey: null, warn: () => undefined };
      await joinFleet({ address: url, fleet: 'f', remote: 'origin', leaseMs: 30_000 }, request, scope);
      return await forgetPlan(database, 'f', plan.path);
    };
    expect(await join('old')).toBe('at-work');
    expect(await forgetPlan(database, 'f', 'late.yaml')).toBe('forgotten');
    expect(await forgetPlan(database, 'f', 'late.yaml')).toBe('unknown');
    await joinPlan(database, 'f', { path: 'late.yaml', base: 'new' });
    await expect(join('old-again')).rejects.toThrow('works off late.yaml on the branch new');
    expect(await server.ask(url, "select run from ralph.sessions where ended_at is null and run like 'old%'")).toEqual([]);
  });
});
