import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFleet } from '../../src/store/postgres/fleets.ts';
import { listenForHints } from '../../src/store/postgres/hints.ts';
import { knownMigrations, migrate } from '../../src/store/postgres/migrations.ts';
import { type Database, openDatabase } from '../../src/store/postgres/open-database.ts';
import { openPostgresRegisters } from '../../src/store/postgres/registers-postgres.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../support/postgres.ts';
import { skipLoudly } from '../support/skip-loudly.ts';
import { until } from '../support/until.ts';

describe.skipIf(skipLoudly(whyNoPostgres()))('an idle worker', () => {
  let server: TestServer;
  let database: Database;
  let url: string;
  beforeAll(async () => {
    server = await openPostgres();
    url = await server.database();
    database = await openDatabase(url);
    await migrate(database, await knownMigrations());
    for (const id of ['ours', 'theirs']) await addFleet(database, { id, name: id, leaseMs: 30_000 });
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const listeners = async () => (await server.ask(url, "select pid from pg_stat_activity where query like 'listen%'")).map(({ pid }) => Number(pid));
  const registersOf = (fleet: string) =>
    openPostgresRegisters({
      ...{ query: database.query, fleet, session: null },
      onOver: () => {
        throw new Error('over');
      },
    });

  it('hears that a task of its fleet was freed, not that one was taken; also after its connection was cut', async () => {
    let hints = 0;
    await using _listening = listenForHints(database, { fleet: 'ours', onHint: () => (hints += 1), onDeaf: () => (hints = Number.NaN) });
    await until('it listens', async () => (await listeners()).length === 1);
    const ours = registersOf('ours');
    await registersOf('theirs').put('task/p/a', 1, { state: 'free' });
    await ours.put('task/p/a', 1, { state: 'held' });
    await ours.put('merge/main', 1, null);
    await ours.put('task/p/a', 2, { state: 'done' });
    await until('it hears', () => hints > 0);
    expect(hints).toBe(1);
    const [first] = await listeners();
    await server.ask(url, `select pg_terminate_backend(${first})`);
    await until('it looks once, because it may have missed something', () => hints === 2);
    await until('it listens again', async () => (await listeners()).some((pid) => pid !== first));
    await ours.put('task/p/a', 3, { state: 'free' });
    await until('it hears again', () => hints === 3);
  });
});
