import { afterAll, beforeAll, describe } from 'vitest';
import { addFleet } from '../../src/store/postgres/fleets.ts';
import { knownMigrations, migrate } from '../../src/store/postgres/migrations.ts';
import { openDatabase } from '../../src/store/postgres/open-database.ts';
import { openPostgresRegisters } from '../../src/store/postgres/registers-postgres.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../support/postgres.ts';
import { skipLoudly } from '../support/skip-loudly.ts';
import { honoursTheRegistersContract } from './registers.ts';

describe.skipIf(skipLoudly(whyNoPostgres()))('with a real server', () => {
  let server: TestServer;
  let url: string;
  const opened: AsyncDisposable[] = [];
  let fleets = 0;

  beforeAll(async () => {
    server = await openPostgres();
    url = await server.database();
    const database = await openDatabase(url);
    await migrate(database, await knownMigrations());
    opened.push(database);
  });
  afterAll(async () => {
    for (const each of opened) await each[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  honoursTheRegistersContract('registers in PostgreSQL', async () => {
    fleets += 1;
    const fleet = `fleet-${fleets}`;
    const database = await openDatabase(url);
    opened.push(database);
    await addFleet(database, { id: fleet, name: fleet, leaseMs: 30_000 });
    const onOver = () => {
      throw new Error('there is no session');
    };
    return {
      open: async () => openPostgresRegisters({ query: database.query, fleet, session: null, onOver }),
      spoil: async (name) => void (await database.query('update ralph.registers set value = $3 where fleet = $1 and name = $2', [fleet, name, '{"st'])),
    };
  });
});
