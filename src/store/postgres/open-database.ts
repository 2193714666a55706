import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool, PoolClient } from 'pg';
import { VERSION } from '../../kit/files/version.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { shownAddress } from './store-address.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** A PostgreSQL database. Whatever goes wrong with it is an OperatorError of one line. */
export interface Database extends AsyncDisposable {
  /** For people: without a password. */
  readonly name: string;
  /** Repeats the query while the database cannot be reached, so it must be harmless to repeat. Gives up after `patienceMs`, which is asked each time. */
  query(text: string, values?: readonly unknown[], patienceMs?: () => number): Promise<readonly Row[]>;
  /** On a connection of its own. `cut` resolves when that is over. */
  listen(channel: string, hear: (payload: string) => void): Promise<AsyncDisposable & { readonly cut: Promise<void> }>;
  /** All of it or nothing. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
}

const CONNECT_MS = 5_000;
/** A half-open connection does not answer for minutes. */
const ANSWER_MS = 10_000;
/** A fleet has many workers, and a server few connections. One more listens for hints. */
const CONNECTIONS = 2;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** Functions with a body in SQL, `make_interval` and `on conflict` are older; nobody has tried those. */
const OLDEST_SERVER = 12;

/** Nothing is connected before the first query. The driver is loaded here, because few runs need it. */
export async function openDatabase(url: string): Promise<Database> {
  const { default: pg } = await import('pg');
  // No statement_timeout here: PgBouncer refuses to connect with it.
  const connection = { connectionString: url, keepAlive: true, application_name: `ralph ${VERSION}`, connectionTimeoutMillis: CONNECT_MS };
  const pool = new pg.Pool({ ...connection, max: CONNECTIONS, query_timeout: ANSWER_MS, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
  // The next query says so.
  pool.on('error', () => undefined);
  const name = shownAddress(url);
  return {
    name,
    async query(text, values = [], patienceMs = () => 0) {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        try {
          return (await pool.query(text, [...values])).rows as Row[];
        } catch (error) {
          if (!isOfTheMoment(error) || patienceMs() <= 0) throw explained(error, name);
          await sleep(Math.min(pauseMs, Math.max(1, patienceMs())));
        }
      }
    },
    async listen(channel, hear) {
      return await listenOn(new pg.Client(connection), channel, hear);
    },
    async transaction(work) {
      try {
        return await inTransaction(pool, work);
      } catch (error) {
        throw error instanceof OperatorError ? error : explained(error, name);
      }
    },
    async [Symbol.asyncDispose]() {
      await pool.end().catch(() => undefined);
    },
  };
}

async function listenOn(client: Client, channel: string, hear: (payload: string) => void) {
  const cut = new Promise<void>((resolve) => {
    for (const event of ['end', 'error'] as const) client.on(event, () => resolve());
  });
  client.on('notification', ({ payload = '' }) => hear(payload));
  const close = () => client.end().catch(() => undefined);
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { cut, [Symbol.asyncDispose]: close };
}

async function inTransaction<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client: PoolClient = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(async (text, values = []) => (await client.query(text, [...values])).rows as Row[]);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot roll back is not used again.
    await client.query('rollback').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Refuses what cannot be a store: a server that is too old, or one that may only be read. */
export async function checkServer(database: Database): Promise<void> {
  const [row] = await database.query(
    "select current_setting('server_version_num')::int / 10000 as major, pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as reads_only",
  );
  const major = Number(row?.['major']);
  if (major < OLDEST_SERVER)
    throw refused('store-too-old', `${database.name} is PostgreSQL ${major}, and Ralph needs ${OLDEST_SERVER} or later`, 'Update the server.');
  if (row?.['reads_only'] === true) throw readOnly(database.name);
}

const refused = (code: string, message: string, hint: string, cause?: unknown) => new OperatorError(code, message, { hint, exitCode: 4, cause });
const readOnly = (name: string, cause?: unknown) =>
  refused('store-read-only', `the store ${name} can only be read`, 'Name the primary server and not a replica: --store postgres://…', cause);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** The server restarts, has no free connection, or cannot be reached. A wrong password does not get better. */
function isOfTheMoment(error: unknown): boolean {
  const code = codeOf(error);
  if (/^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code)) return /^(?:08|53|57P0|40)/.test(code);
  return !/password|SASL|SSL|certificate/i.test((error as Error).message);
}

const ASK_THE_SERVER = 'Check the address, the user and the password: --store, RALPH_STORE or store.url.';

function explained(error: unknown, name: string): OperatorError {
  const code = codeOf(error);
  // An address with several results fails with several errors.
  const text = oneLine((error as Error).message) || [(error as { errors?: Error[] }).errors?.[0]?.message, code].filter(Boolean).join(' ');
  if (code === '25006') return readOnly(name, error);
  if (code === '3F000' || code === '42P01' || code === '42883')
    return new OperatorError('store-empty', `the store ${name} has no tables of Ralph`, {
      hint: 'Prepare it once with: ralph fleet init',
      exitCode: 2,
      cause: error,
    });
  if (code === '42501') return refused('store-refuses', `the store ${name} does not let this user do that: ${text}`, 'Give the user its rights.', error);
  if (code === '23514')
    return refused('store-refuses', `the store ${name} refuses a value that is too large: ${text}`, 'Make the texts of the task shorter.', error);
  if (/^(?:28|3D|0A)/.test(code) || /password|SASL/i.test(text)) return refused('store-refuses', `the store ${name} refuses: ${text}`, ASK_THE_SERVER, error);
  if (isOfTheMoment(error)) return refused('store-unreachable', `the store ${name} cannot be reached: ${text}`, ASK_THE_SERVER, error);
  return refused('store-trouble', `the store ${name} has failed: ${text}`, 'The log of the server may say more.', error);
}
