import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyJournal, keepMirror, openFileMirror } from '../../src/store/journal-mirror.ts';
import { addFleet } from '../../src/store/postgres/fleets.ts';
import { mirroredRuns, openPostgresMirror } from '../../src/store/postgres/journals-postgres.ts';
import { knownMigrations, migrate } from '../../src/store/postgres/migrations.ts';
import { type Database, openDatabase } from '../../src/store/postgres/open-database.ts';
import { openPostgres, type TestServer, whyNoPostgres } from '../support/postgres.ts';
import { skipLoudly } from '../support/skip-loudly.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../support/throw-away-folder.ts';
import { until } from '../support/until.ts';
import { honoursTheMirrorContract, RUN } from './journal-mirror.ts';

let folder: ThrowAwayFolder;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const freshFolder = () => join(folder.path, randomUUID());

honoursTheMirrorContract('a folder of runs', async () => {
  const place = freshFolder();
  return { mirror: openFileMirror(place), again: openFileMirror(place) };
});

describe('a journal that is being written', () => {
  it('is copied in whole lines, also when one is longer than a piece', async () => {
    const [from, to] = [freshFolder(), freshFolder()];
    const journal = join(from, RUN, 'journal.jsonl');
    await mkdir(join(from, RUN), { recursive: true });
    await writeFile(journal, `one\n${'x'.repeat(200_000)}`);
    expect(await copyJournal(RUN, openFileMirror(from), openFileMirror(to))).toBe(4);
    await appendFile(journal, '\nthree');
    await copyJournal(RUN, openFileMirror(from), openFileMirror(to));
    expect(await readFile(join(to, RUN, 'journal.jsonl'), 'utf8')).toBe(`one\n${'x'.repeat(200_000)}\n`);
  });

  it('is copied to its last line when its run ends, also after a mirror that could not be reached', async () => {
    const [from, to] = [freshFolder(), freshFolder()];
    const [files, copy] = [openFileMirror(from), openFileMirror(to)];
    await files.append(RUN, 0, Buffer.from('one\n'));
    let failures = 0;
    const broken = {
      ...copy,
      append: async (...args: Parameters<typeof copy.append>) => (failures++ < 2 ? Promise.reject(new Error('away')) : copy.append(...args)),
    };
    const kept = keepMirror({ run: RUN, from: files, to: broken, everyMs: 5 });
    await until('the journal is copied', async () => (await copy.end(RUN)) === 4);
    await files.append(RUN, 4, Buffer.from('two\n'));
    await kept[Symbol.asyncDispose]();
    expect([await readFile(join(to, RUN, 'journal.jsonl'), 'utf8'), failures > 2]).toEqual(['one\ntwo\n', true]);
  });
});

describe.skipIf(skipLoudly(whyNoPostgres()))('with a real server', () => {
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

  const openFleet = async () => {
    const fleet = randomUUID();
    await addFleet(database, { id: fleet, name: fleet, leaseMs: 30_000 });
    const begin = (session: string, run: string) => database.query("select ralph.begin($1, $2, $3, 'here', '{}')", [fleet, session, run]);
    return { fleet, begin };
  };

  honoursTheMirrorContract('the store', async () => {
    const { fleet, begin } = await openFleet();
    await begin('first', RUN);
    await begin('second', RUN);
    return { mirror: openPostgresMirror(database, fleet, 'first'), again: openPostgresMirror(database, fleet, 'second') };
  });

  it('lets only a living session write, and only the journal of its own run', async () => {
    const { fleet, begin } = await openFleet();
    await begin('mine', RUN);
    const line = Buffer.from('one\n');
    const [mine, stranger] = [openPostgresMirror(database, fleet, 'mine'), openPostgresMirror(database, fleet, 'stranger')];
    expect([await mine.append('another', 0, line), await stranger.append(RUN, 0, line)]).toEqual([null, null]);
    expect(await mine.append(RUN, 0, line)).toBe(4);
    await database.query('select ralph.finish($1, $2)', [fleet, 'mine']);
    expect([await mine.append(RUN, 4, line), await mine.end(RUN)]).toEqual([null, 4]);
    await expect(database.query('select ralph.mirror($1, $2, $3, 0, $4)', [fleet, 'mine', RUN, line])).resolves.toEqual([{ mirror: null }]);
  });

  it('bounds a piece', async () => {
    const { fleet, begin } = await openFleet();
    await begin('mine', RUN);
    await expect(openPostgresMirror(database, fleet, 'mine').append(RUN, 0, Buffer.alloc(65_537))).rejects.toThrow('refuses a value that is too large');
  });

  it('names the newest runs first, and how much of each is there', async () => {
    const { fleet, begin } = await openFleet();
    for (const run of ['a', 'b', 'c']) await begin(run, run);
    await openPostgresMirror(database, fleet, 'b').append('b', 0, Buffer.from('one\n'));
    expect([...(await mirroredRuns(database, fleet, 2))]).toEqual([
      ['c', 0],
      ['b', 4],
    ]);
  });
});
