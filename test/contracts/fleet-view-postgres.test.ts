import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headLines, workerLine } from '../../src/fleet/command/fleet.ts';
import { viewFleets } from '../../src/fleet/fleet-view.ts';
import { addFleet, joinPlan } from '../../src/store/postgres/fleets.ts';
import { openPostgresMirror } from '../../src/store/postgres/journals-postgres.ts';
import { knownMigrations, migrate } from '../../src/store/postgres/migrations.ts';
import { type Database, openDatabase } from '../../src/store/postgres/open-database.ts';
import { openPostgresRegisters } from '../../src/store/postgres/registers-postgres.ts';
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

  it('forgets sessions that were over for thirty days or are more than a thousand, with the journals of their runs, and what they held is free', async () => {
    const { session, view } = await openFleet('old');
    await joinPlan(database, 'old', { path: 'p.yaml', base: 'main' });
    await session('stays', {});
    await session('long ago', {});
    const register = {
      state: 'held',
      holder: { name: 'w', run: 'w', lane: 1, process: null },
      key: '',
      at: 1,
      branch: null,
      base: null,
      tries: 1,
      feedback: '',
    };
    await database.query("select ralph.put('old', 'task/p.yaml/a', 1, $1, 'long ago', gen_random_uuid())", [JSON.stringify(register)]);
    for (const run of ['stays', 'long ago']) await openPostgresMirror(database, 'old', run).append(run, 0, Buffer.from('one\n'));
    await database.query("update ralph.sessions set ended_at = clock_timestamp() - interval '31 days' where fleet = 'old' and id = 'long ago'");
    await database.query(
      `insert into ralph.sessions (fleet, id, run, host, about, started_at, lease_until)
       select 'old', n::text, n::text, 'here', '{}', now() - n * interval '1 minute', now() - interval '1 s' from generate_series(1, 1005) n`,
    );
    await database.query("select ralph.begin('old', 'new', 'new', 'here', '{}')");
    const left = await database.query("select id from ralph.sessions where fleet = 'old'");
    expect([left.length, left.some(({ id }) => id === '999'), left.some(({ id }) => id === '1000')]).toEqual([1_001, true, false]);
    expect(await database.query("select run from ralph.journals where fleet = 'old'")).toEqual([{ run: 'stays' }]);
    expect((await view()).plans[0]?.held).toMatchObject([{ task: 'a', alive: false }]);
    const registers = openPostgresRegisters({ query: database.query, fleet: 'old', session: null, onOver: () => undefined as never });
    await registers.get('task/p.yaml/a');
    expect(registers.isDead('long ago')).toBe(true);
    expect(await database.query("select ralph.put('old', 'task/p.yaml/a', 2, '{}', 'long ago', gen_random_uuid()) as answer")).toEqual([{ answer: 'over' }]);
  });

  it('shows what waits beside registers that nobody can read, and the seat that is taken', async () => {
    const { view } = await openFleet('spoilt');
    await joinPlan(database, 'spoilt', { path: 'p.yaml', base: 'main' });
    const put = (name: string, value: string) => database.query("select ralph.put('spoilt', $1, 1, $2, null, gen_random_uuid())", [name, value]);
    const holder = { name: 'w/1', run: 'w', lane: 1, process: null };
    const parked = {
      state: 'parked',
      holder,
      key: '',
      at: 1,
      branch: null,
      base: null,
      tries: 1,
      feedback: 'x'.repeat(9_000),
      question: { kind: 'blocked', text: 'Which?' },
    };
    await put('task/p.yaml/a', JSON.stringify(parked));
    await put('task/p.yaml/b', `{"state":"held",${'x'.repeat(9_000)}`);
    await put('task/p.yaml/c', JSON.stringify({ ...parked, state: 'done' }));
    await put('merge/main', JSON.stringify(holder));
    await put('merge/next', 'null');
    expect((await view()).plans).toMatchObject([
      { counts: { done: 1, held: 1, parked: 1 }, merging: { holder: 'w/1' }, held: [], left: [{ task: 'a', question: 'Which?' }] },
    ]);
  });

  it('shows the beginning of a long feedback', async () => {
    const { view } = await openFleet('feedback');
    await joinPlan(database, 'feedback', { path: 'p.yaml', base: 'main' });
    const register = { state: 'failed', holder: null, key: '', at: 1, branch: null, base: null, tries: 1, feedback: 'x'.repeat(100_000) };
    await database.query("select ralph.put('feedback', 'task/p.yaml/a', 1, $1, null, gen_random_uuid())", [JSON.stringify(register)]);
    expect((await view()).plans[0]?.left[0]?.feedback).toMatch(/^x{100,1000}…$/);
  });
});
