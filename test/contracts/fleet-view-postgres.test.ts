import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headLines, workerLine } from '../../src/fleet/command/fleet.ts';
import { viewFleets } from '../../src/fleet/fleet-view.ts';
import { addFleet, joinPlan } from '../../src/store/postgres/fleets.ts';
import { knownMigrations, migrate } from '../../src/store/postgres/migrations.ts';
import { type Database, openDatabase } from '../../src/store/postgres/open-database.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../support/postgres.ts';
import { skipLoudly } from '../support/skip-loudly.ts';

describe.skipIf(skipLoudly(whyNoPostgres()))('the view of a fleet', () => {
  let server: TestServer;
  let database: Database;
  beforeAll(async () => {
    server = await openPostgres();
    database = await openDatabase(await server.database());
    await migrate(database, await knownMigrations());
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const openFleet = async (id: string) => {
    await addFleet(database, { id, name: id, leaseMs: 30_000 });
    return {
      session: (run: string, about: unknown, lease = '1 hour') =>
        database.query('insert into ralph.sessions (fleet, id, run, host, about, lease_until) values ($1, $2, $2, $3, $4, clock_timestamp() + $5::interval)', [
          id,
          run,
          'here',
          JSON.stringify(about),
          lease,
        ]),
      view: async () => {
        const view = (await viewFleets(database)).find(({ fleet }) => fleet === id);
        if (view === undefined) throw new Error('It is not shown.');
        return view;
      },
    };
  };

  it('believes nothing that a worker says of its run, its host or its state, and shows no control character', async () => {
    const { session, view } = await openFleet('lies');
    await session('lost', { run: 'other', host: 'other', state: 'working', silent_ms: 0, agent: 'cl\u001b[2Jaude', workers: 2 }, '-1 minute');
    await session('words', { workers: '\u001b]0;title\u0007' });
    await session('list', { agent: ['é'] });
    await session('none', null);
    const { workers } = await view();
    expect(workers.map(({ run, host, state }) => `${run} ${host} ${state}`).toSorted()).toEqual([
      'list here working',
      'lost here lost',
      'none here working',
      'words here working',
    ]);
    const lines = workers.map(workerLine);
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
    expect(lines.find((text) => text.includes('lost'))).toMatch(/ 2 x cl\S*aude {2}lost 1m/);
  });

  it('counts all who are at work, shows a hundred of them, and forgets those that were lost long ago', async () => {
    const { session, view } = await openFleet('many');
    await session('long ago', {}, '-2 hours');
    await session('just now', {}, '-1 minute');
    expect((await view()).workers.map(({ run }) => run)).toEqual(['just now']);
    for (let nth = 1; nth <= 105; nth += 1) await session(`run ${nth}`, {});
    const many = await view();
    expect([many.at_work, many.workers.length]).toEqual([105, 100]);
    expect(headLines(many)[0]).toBe('Fleet many: running, 105 workers at work');
  });

  it('shows the beginning of a long feedback', async () => {
    const { view } = await openFleet('feedback');
    await joinPlan(database, 'feedback', { path: 'p.yaml', base: 'main' });
    const register = { state: 'failed', holder: null, key: '', at: 1, branch: null, base: null, tries: 1, feedback: 'x'.repeat(100_000) };
    await database.query("select ralph.put('feedback', 'task/p.yaml/a', 1, $1, null, gen_random_uuid())", [JSON.stringify(register)]);
    expect((await view()).plans[0]?.left[0]?.feedback).toMatch(/^x{100,1000}…$/);
  });
});
