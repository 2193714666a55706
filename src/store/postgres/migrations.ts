import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagePath } from '../../kit/files/package-root.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Database } from './open-database.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Any number, the same for every ralph: two that migrate at once take turns. */
const LOCK = 7_254_331;

/** The migrations of this version of Ralph, in their order: files such as `0001-fleet.sql`. They only go forward. */
export async function knownMigrations(folder = packagePath('migrations')): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort();
  return await Promise.all(names.map(async (name) => ({ version: Number(name.slice(0, 4)), name, sql: await readFile(join(folder, name), 'utf8') })));
}

/** Brings the tables up to this version of Ralph, all at once or not at all. Resolves with the names of what was done. */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<readonly string[]> {
  return await database.transaction(async (query) => {
    await query(`select pg_advisory_xact_lock(${LOCK})`);
    await query('create schema if not exists ralph');
    await query('create table if not exists ralph.migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())');
    const [newest] = await query('select coalesce(max(version), 0) as version from ralph.migrations');
    const there = Number(newest?.['version']);
    refuseNewer(there, migrations, database.name);
    const missing = migrations.filter(({ version }) => version > there);
    for (const { version, name, sql } of missing) {
      await query(sql);
      await query('insert into ralph.migrations (version, name) values ($1, $2)', [version, name]);
    }
    return missing.map(({ name }) => name);
  });
}

/** Refuses tables of another version: a worker must not guess what they mean. */
export async function checkMigrations(database: Database, migrations: readonly Migration[]): Promise<void> {
  const [newest] = await database.query('select coalesce(max(version), 0) as version from ralph.migrations');
  const there = Number(newest?.['version']);
  refuseNewer(there, migrations, database.name);
  if (there < newestOf(migrations))
    throw new OperatorError('store-outdated', `the tables of ${database.name} are of version ${there}, and this ralph needs ${newestOf(migrations)}`, {
      hint: 'Bring them up to date with: ralph fleet migrate',
      exitCode: 2,
    });
}

const newestOf = (migrations: readonly Migration[]) => migrations.at(-1)?.version ?? 0;

function refuseNewer(there: number, migrations: readonly Migration[], name: string): void {
  if (there <= newestOf(migrations)) return;
  throw new OperatorError('ralph-too-old', `the tables of ${name} are of version ${there}, and this ralph knows ${newestOf(migrations)}`, {
    hint: 'Update ralph on this machine.',
    exitCode: 2,
  });
}
