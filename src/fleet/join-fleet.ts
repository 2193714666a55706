import { basename, dirname } from 'node:path';
import type { Watcher } from '../engine/contracts.ts';
import type { WorkPorts } from '../engine/ports/ports.ts';
import type { SharedBudget } from '../engine/ports/quota.ts';
import type { Registers } from '../engine/ports/stores.ts';
import { together } from '../engine/watchers.ts';
import type { Scope } from '../kit/async/scope.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { WorkSpec } from '../settings/schema/work-spec.ts';
import { keepMirror, openFileMirror } from '../store/journal-mirror.ts';
import { openSharedBudget } from '../store/postgres/budget.ts';
import { findFleet, joinPlan } from '../store/postgres/fleets.ts';
import { listenForHints } from '../store/postgres/hints.ts';
import { openPostgresMirror } from '../store/postgres/journals-postgres.ts';
import { type Database, openDatabase } from '../store/postgres/open-database.ts';
import { openPostgresRegisters } from '../store/postgres/registers-postgres.ts';
import { type FleetMode, openSession, type Session } from '../store/postgres/session.ts';
import { STORE_VARIABLE } from './store-url.ts';

type HoldingProcess = WorkPorts['process'];
export type StoreOfRun = NonNullable<WorkSpec['store']>;
type Environment = Readonly<Record<string, string>>;

interface JoinRequest {
  readonly runFolder: string;
  readonly process: HoldingProcess;
  readonly env: Environment;
  readonly plan: { readonly path: string; readonly base: string };
  /** What others see of this worker. */
  readonly about: object;
  /** With which others check its receipts; null: it has no key. */
  readonly publicKey: string | null;
  readonly warn: (text: string) => void;
}

/** What a worker of a fleet has instead of files. */
interface JoinedFleet {
  readonly registers: Registers;
  readonly livenessOf: WorkPorts['livenessOf'];
  readonly watcher: Watcher;
  readonly budget: SharedBudget;
  /** Aborts when others may take what this worker holds. */
  readonly gone: AbortSignal;
}

const MIRROR_MS = 2_000;

/** Joins a fleet until the scope ends. */
export async function joinFleet(store: StoreOfRun, { runFolder, process, env, plan, about, publicKey, warn }: JoinRequest, scope: Scope): Promise<JoinedFleet> {
  const run = basename(runFolder);
  const database = await openDatabase(addressFor(store, env));
  scope.defer(() => database[Symbol.asyncDispose]());
  if ((await findFleet(database, store.fleet)) === null)
    throw new OperatorError('foreign-fleet', `the store ${database.name} does not know the fleet of this run`, {
      hint: `It was ${store.address}: name it with ${STORE_VARIABLE}.`,
      exitCode: 2,
    });
  const session = await openSession(database, { fleet: store.fleet, id: sessionOf(process), run, host: process.host, about, leaseMs: store.leaseMs });
  scope.defer(() => session[Symbol.asyncDispose]());
  // Somebody may have forgotten the plan before this was a session.
  await joinPlan(database, store.fleet, plan);
  if (publicKey !== null) await session.query('select ralph.add_key($1, $2, $3)', [store.fleet, session.id, publicKey]);
  const mirror = keepMirror({
    ...{ run, from: openFileMirror(dirname(runFolder)), everyMs: MIRROR_MS },
    to: openPostgresMirror(database, store.fleet, session.id),
  });
  // Before the session ends: then it has the end of the run, too.
  scope.defer(() => mirror[Symbol.asyncDispose]());
  const onOver = () => session.over('its lease in the store has run out');
  const registers = openPostgresRegisters({ query: session.query, fleet: store.fleet, session: session.id, onOver });
  return {
    registers,
    livenessOf: (holder) => (registers.isDead(sessionOf(holder)) ? 'dead' : 'alive'),
    watcher: together(watchMode(session), watchHints(database, store.fleet, warn)),
    budget: openSharedBudget({ query: session.query, fleet: store.fleet, run, session: session.id, onOver }),
    gone: session.gone,
  };
}

/** The journal has the address without its password. */
export const addressFor = ({ address }: StoreOfRun, env: Environment) => env[STORE_VARIABLE] || address;

/** A process is one session. Its name says where it runs: others cannot look whether it lives there. */
function sessionOf({ host, boot_id, pid, start_time }: HoldingProcess): string {
  return `${host} ${boot_id} ${pid} ${start_time}`;
}

const ASKS = { running: 'go-on', paused: 'pause', draining: 'drain' } as const satisfies Record<FleetMode, string>;

/** What a person has asked of all workers. */
function watchMode(session: Session): Watcher {
  return (tell) => {
    let isOver = false;
    session.onMode((mode) => {
      if (!isOver) void tell({ type: 'operator.asked', what: ASKS[mode], by: 'the fleet' });
    });
    return {
      async [Symbol.asyncDispose]() {
        isOver = true;
      },
    };
  };
}

const DEAF =
  'the store passes on no notifications, as behind PgBouncer in transaction mode: idle workers look again after seconds, and later after half a lease';

/** An idle worker hears that a task was changed. One at work has no need to. */
function watchHints(database: Database, fleet: string, warn: (text: string) => void): Watcher {
  return (tell, state) => {
    const onHint = () => {
      if (state().tasks.noTask?.held) void tell({ type: 'tasks.changed' });
    };
    return listenForHints(database, { fleet, onHint, onDeaf: () => warn(DEAF) });
  };
}

/** For people and scripts, which hold no lease: `ralph task` and `ralph fleet status` on a machine of a fleet. */
export function registersOf(database: Database, fleet: string): Pick<JoinedFleet, 'registers' | 'livenessOf'> {
  const onOver = () => {
    throw new Error('A write without a session cannot be over.');
  };
  const registers = openPostgresRegisters({ query: database.query, fleet, session: null, onOver });
  return { registers, livenessOf: (holder) => (registers.isDead(sessionOf(holder)) ? 'dead' : 'alive') };
}

/** For a person who decides about a run of this machine that works for a fleet. */
export async function registersOfRun(store: StoreOfRun, env: Environment): Promise<Registers> {
  return registersOf(await openDatabase(addressFor(store, env)), store.fleet).registers;
}
