import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Database } from './open-database.ts';
import { valueIn, WRITER_IS_DEAD } from './registers-postgres.ts';
import type { FleetMode } from './session.ts';

export interface Fleet {
  /** The object that `refs/ralph/fleet` names on the remote. */
  readonly id: string;
  readonly name: string;
  readonly leaseMs: number;
  readonly mode: FleetMode;
}

export interface FleetWorker {
  readonly run: string;
  readonly host: string;
  /** What it says of itself. Untrusted. */
  readonly about: unknown;
  readonly state: 'working' | 'ended' | 'lost';
  /** Epoch ms, by the clock of the database. */
  readonly startedAt: number;
  /** For how long it has been silent, or over. */
  readonly sinceMs: number;
}

export async function findFleet(database: Database, id: string): Promise<Fleet | null> {
  const [row] = await database.query('select id, name, lease_ms, mode from ralph.fleets where id = $1', [id]);
  if (row === undefined) return null;
  return { id: String(row['id']), name: String(row['name']), leaseMs: Number(row['lease_ms']), mode: row['mode'] as FleetMode };
}

export async function allFleets(database: Database): Promise<readonly Fleet[]> {
  const rows = await database.query('select id from ralph.fleets order by name, id');
  const found = await Promise.all(rows.map(({ id }) => findFleet(database, String(id))));
  return found.filter((fleet) => fleet !== null);
}

/** Does nothing if it is there: its lease stays what it was, because its workers count on it. */
export async function addFleet(database: Database, { id, name, leaseMs }: Omit<Fleet, 'mode'>): Promise<void> {
  await database.query('insert into ralph.fleets (id, name, lease_ms) values ($1, $2, $3) on conflict do nothing', [id, name, leaseMs]);
}

export async function setFleetMode(database: Database, id: string, mode: FleetMode): Promise<void> {
  await database.query('update ralph.fleets set mode = $2 where id = $1', [id, mode]);
}

/** The same plan on two branches would have the same registers. Only while a session lives can nobody forget it. */
export async function joinPlan(database: Database, fleet: string, { path, base }: { readonly path: string; readonly base: string }): Promise<void> {
  const [row] = await database.query('select ralph.join_plan($1, $2, $3) as base', [fleet, path, base]);
  if (row?.['base'] === base) return;
  throw new OperatorError('plan-elsewhere', `the fleet works off ${path} on the branch ${String(row?.['base'])}, and this is ${base}`, {
    hint: `Check out ${String(row?.['base'])}. If nobody has begun there, the owner of the store can free the plan: ralph fleet forget ${path}`,
    exitCode: 2,
  });
}

/** Lets a plan be joined on another branch, unless its tasks were begun: what was done of them is on this one. */
export async function forgetPlan(database: Database, fleet: string, path: string): Promise<'forgotten' | 'unknown' | 'at-work' | 'begun'> {
  return await database.transaction(async (query) => {
    // A worker joins the plan again once it is a session: either it waits for this lock, or it is seen below.
    const known = await query('select 1 from ralph.plans where fleet = $1 and path = $2 for update', [fleet, path]);
    if (known.length === 0) return 'unknown';
    const [row] = await query(
      `select exists (select 1 from ralph.registers where fleet = $1 and starts_with(name, 'task/' || $2 || '/')) as begun,
         exists (select 1 from ralph.sessions
                 where fleet = $1 and ended_at is null and lease_until > clock_timestamp() and coalesce(about ->> 'plan', $2) = $2) as busy`,
      [fleet, path],
    );
    if (row?.['begun'] === true) return 'begun';
    if (row?.['busy'] === true) return 'at-work';
    await query('delete from ralph.plans where fleet = $1 and path = $2', [fleet, path]);
    return 'forgotten';
  });
}

export async function plansOf(database: Database, fleet: string): Promise<readonly { readonly path: string; readonly base: string }[]> {
  const rows = await database.query('select path, base from ralph.plans where fleet = $1 order by path', [fleet]);
  return rows.map((row) => ({ path: String(row['path']), base: String(row['base']) }));
}

interface ReceiptKey {
  readonly publicKey: string;
  /** The host of a worker that has it. */
  readonly host: string;
}

/** The keys with which workers of a fleet sign receipts, as they say. */
export async function receiptKeysOf(database: Database, fleet: string): Promise<readonly ReceiptKey[]> {
  const rows = await database.query('select public_key, host from ralph.receipt_keys where fleet = $1 order by added_at', [fleet]);
  return rows.map((row) => ({ publicKey: String(row['public_key']), host: String(row['host']) }));
}

interface WorkersWanted {
  readonly most: number;
  /** Without those that have ended, or were lost longer ago; null: with all. */
  readonly lostMs: number | null;
}

/** Those at work first, then the newest; and how many are at work. */
export async function workersOf(
  database: Database,
  fleet: string,
  { most, lostMs }: WorkersWanted,
): Promise<{ readonly atWork: number; readonly workers: readonly FleetWorker[] }> {
  const rows = await database.query(
    `select run, host, about, count(*) filter (where ended_at is null and lease_until > clock_timestamp()) over () as at_work,
       extract(epoch from started_at) * 1000 as started,
       case when ended_at is not null then 'ended' when lease_until <= clock_timestamp() then 'lost' else 'working' end as state,
       greatest(0, extract(epoch from clock_timestamp() - coalesce(ended_at, lease_until)) * 1000) as since
     from ralph.sessions
     where fleet = $1 and ($3::float8 is null or ended_at is null and lease_until > clock_timestamp() - make_interval(secs => $3::float8 / 1000))
     order by (ended_at is null and lease_until > clock_timestamp()) desc, started_at desc limit $2`,
    [fleet, most, lostMs],
  );
  const workers = rows.map((row) => ({
    run: String(row['run']),
    host: String(row['host']),
    about: row['about'],
    state: row['state'] as FleetWorker['state'],
    startedAt: Number(row['started']),
    sinceMs: Number(row['since']),
  }));
  return { atWork: Number(rows[0]?.['at_work'] ?? 0), workers };
}

interface BegunTasks {
  /** How many tasks of a plan are in a state. */
  readonly counts: readonly { readonly plan: string; readonly state: string; readonly count: number }[];
  /** The registers of tasks that somebody has or has left for a person, and of merge seats that are taken; the oldest first. */
  readonly taken: readonly { readonly name: string; readonly value: unknown; readonly isDead: boolean }[];
}

/** What the store knows of the plans: only the tasks that somebody has begun. */
export async function begunTasks(database: Database, fleet: string, most: number): Promise<BegunTasks> {
  const counts = await database.query(
    `select substring(name from '^task/(.*)/[^/]*$') as plan, state, count(*) as count
     from ralph.registers where fleet = $1 and starts_with(name, 'task/') group by 1, 2 order by 1, 2`,
    [fleet],
  );
  const taken = await database.query(
    `select r.name, r.brief, ${WRITER_IS_DEAD} as dead
     from ralph.registers r left join ralph.sessions s on s.fleet = r.fleet and s.id = r.session
     where r.fleet = $1 and r.brief is not null and (starts_with(r.name, 'task/') or starts_with(r.name, 'merge/') and r.brief <> 'null')
     order by r.written_at, r.name limit $2`,
    [fleet, most],
  );
  return {
    counts: counts.map(({ plan, state, count }) => ({ plan: String(plan), state: String(state), count: Number(count) })),
    taken: taken.map(({ name, brief, dead }) => ({ name: String(name), value: valueIn(String(brief)), isDead: dead === true })),
  };
}
