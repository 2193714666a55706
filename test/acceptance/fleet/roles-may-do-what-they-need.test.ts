import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doneOnce, openFleetStage, resultOf } from '../../support/fleet-stage.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../../support/postgres.ts';
import { skipLoudly } from '../../support/skip-loudly.ts';

/** None of these is a rule of ours: the database refuses them. */
const FORBIDDEN_TO_WORKERS = [
  "update ralph.registers set value = '{}'",
  'update ralph.sessions set ended_at = null',
  "update ralph.fleets set mode = 'paused'",
  'update ralph.fleets set budget_usd = 1000000',
  'update ralph.plans set base = base',
  'delete from ralph.costs',
  'insert into ralph.migrations (version, name) values (9999, $$x$$)',
  'create table ralph.mine (id integer)',
  'drop table ralph.registers',
];
const FORBIDDEN_TO_READERS = [
  ...FORBIDDEN_TO_WORKERS,
  "select ralph.put('f', 'task/p/a', 1, '{}', null, gen_random_uuid())",
  "select ralph.begin('f', 's', 'r', 'h', '{}')",
  "select ralph.settle('f', 's', 'r', 'a', 1)",
];

describe.skipIf(skipLoudly(whyNoPostgres()))('the roles of a store', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('let a worker work and a reader look, and refuse everything else', async () => {
    await using stage = await openFleetStage(server, ['a', 'b'], 'work; claim', { machines: 2 });
    expect(await stage.ralph(1, 'fleet', 'roles')).toMatchObject({ code: 0 });
    expect(await stage.ralph(1, 'fleet', 'roles', '--json')).toMatchObject({ code: 0 });
    const loginOf = async (name: string, role: string) => {
      await server.ask(stage.url, `create role ${name} login password 'x' in role ${role}`);
      const url = new URL(stage.url);
      Object.assign(url, { username: name, password: 'x' });
      return url.href;
    };
    const [worker, reader] = [await loginOf('night', 'ralph_worker'), await loginOf('page', 'ralph_reader')];
    for (const sql of FORBIDDEN_TO_WORKERS) await expect(server.ask(worker, sql), sql).rejects.toThrow(/permission denied|must be owner/);
    for (const sql of FORBIDDEN_TO_READERS) await expect(server.ask(reader, sql), sql).rejects.toThrow(/permission denied|must be owner/);

    const refused = await stage.ralph(1, 'work', '--agent', 'true', '--store', reader);
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/^error: the store \S+ does not let this user do that: permission denied/)]);
    const paused = await stage.ralph(1, 'fleet', 'pause', '--store', worker);
    expect([paused.code, paused.stderr]).toEqual([4, expect.stringContaining('permission denied for table fleets')]);

    const runs = [1, 2].map((machine) => stage.begin(machine, '--store', worker).ended);
    for (const { code, stderr } of await Promise.all(runs)) expect(code, stderr).toBe(0);
    expect(resultOf(stage)).toEqual(doneOnce('a', 'b'));
    for (const command of ['status', 'workers', 'budget']) expect(await stage.ralph(1, 'fleet', command, '--store', reader)).toMatchObject({ code: 0 });
  });
});
