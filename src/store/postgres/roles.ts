import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Database, Query } from './open-database.ts';

/** Groups of the database. A login gets their rights with `grant ralph_worker to …`. */
export const ROLES = { worker: 'ralph_worker', reader: 'ralph_reader' } as const;

/** What workers call. A person's write (`ralph task reset`, `ralph accept`) is a `put` without a session. */
const OF_WORKERS = [
  'ralph.add_key(text, text, text)',
  'ralph.begin(text, text, text, text, jsonb)',
  'ralph.beat(text, text)',
  'ralph.finish(text, text)',
  'ralph.join_plan(text, text, text)',
  'ralph.mirror(text, text, text, bigint, bytea)',
  'ralph.put(text, text, bigint, text, text, uuid)',
  'ralph.reserve(text, text, text, text, numeric)',
  'ralph.settle(text, text, text, text, numeric)',
];

const GRANTS = [
  `grant usage on schema ralph to ${ROLES.reader}`,
  `grant select on all tables in schema ralph to ${ROLES.reader}`,
  ...['ralph.budget(text)', 'ralph.mirrored(text, text)'].map((name) => `grant execute on function ${name} to ${ROLES.reader}`),
  `grant ${ROLES.reader} to ${ROLES.worker}`,
  ...OF_WORKERS.map((name) => `grant execute on function ${name} to ${ROLES.worker}`),
];

/** Refuses a login that could only look. */
export async function checkMayWork(database: Database): Promise<void> {
  const [row] = await database.query('select bool_and(has_function_privilege(name, $$execute$$)) as may from unnest($1::text[]) name', [OF_WORKERS]);
  if (row?.['may'] === true) return;
  throw new OperatorError('store-refuses', `the store ${database.name} does not let this user work`, {
    hint: `Give it the role ${ROLES.worker}.`,
    exitCode: 4,
  });
}

/** Makes both roles, unless they are there, and gives them exactly what they need. */
export async function makeRoles(database: Database): Promise<void> {
  await database.transaction(async (query) => {
    for (const role of await missing(query)) await query(`create role ${role} nologin`);
    for (const grant of GRANTS) await query(grant);
  });
}

/** After a migration: new tables and functions belong to nobody yet. */
export async function grantAgain(database: Database): Promise<void> {
  await database.transaction(async (query) => {
    if ((await missing(query)).length > 0) return;
    for (const grant of GRANTS) await query(grant);
  });
}

async function missing(query: Query): Promise<readonly string[]> {
  const found = await query('select rolname from pg_roles where rolname = any($1)', [Object.values(ROLES)]);
  return Object.values(ROLES).filter((role) => !found.some(({ rolname }) => rolname === role));
}
