import { OperatorError } from '../kit/pure/operator-error.ts';
import type { StoredKey } from '../proof/verify/read-receipt.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { WorkSpec } from '../settings/schema/work-spec.ts';
import { type Fleet, findFleet, joinPlan, receiptKeysOf } from '../store/postgres/fleets.ts';
import { checkMigrations, knownMigrations } from '../store/postgres/migrations.ts';
import { checkServer, type Database, openDatabase } from '../store/postgres/open-database.ts';
import { fleetOn, followRemote, refuseOwnPlan, refuseWithoutPush, remoteOf } from '../workspace/fleet-remote.ts';
import { gitAt } from '../workspace/git/plain-repository.ts';
import { addressFor, registersOf, type StoreOfRun } from './join-fleet.ts';
import { storeUrl } from './store-url.ts';

type Environment = Readonly<Record<string, string>>;

/** A clone of the remote of a fleet, and the branch that is checked out there. */
export interface FleetClone {
  readonly topLevel: string;
  readonly env: Environment;
  readonly base: string;
}

export interface OpenFleet extends AsyncDisposable {
  readonly database: Database;
  readonly fleet: Fleet;
  readonly remote: string;
}

/** The fleet of this clone. Refuses a store that cannot be used, and a remote of another fleet. */
export async function openFleet(url: string, clone: FleetClone): Promise<OpenFleet> {
  const database = await openDatabase(url);
  try {
    await checkStore(database);
    const remote = await remoteOf(clone, clone.base);
    const id = await fleetOn(clone, remote);
    if (id === null) throw refused('no-fleet', `the remote ${remote} belongs to no fleet`, 'Make one, once: ralph fleet init');
    const fleet = await findFleet(database, id);
    if (fleet === null) throw foreign(remote, database.name);
    return { database, fleet, remote, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

async function checkStore(database: Database): Promise<void> {
  await checkServer(database);
  await checkMigrations(database, await knownMigrations());
}

/** Since the run began, a store may have been brought up to date, a key may have lost its rights, and a plan may have been forgotten. */
export async function checkToResume(
  { store, plan: { path }, base }: Pick<WorkSpec, 'plan' | 'base'> & { readonly store: StoreOfRun },
  clone: Omit<FleetClone, 'base'>,
): Promise<void> {
  await using database = await openDatabase(addressFor(store, clone.env));
  await checkStore(database);
  await refuseWithoutPush(clone, store.remote, base);
  await joinPlan(database, store.fleet, { path, base });
}

export function foreign(remote: string, store: string): OperatorError {
  const message = `the remote ${remote} belongs to a fleet that ${store} does not know`;
  return refused('foreign-fleet', message, `Name the store of that fleet. If it is gone: git push ${remote} :refs/ralph/fleet, then ralph fleet init`);
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}

/** For `ralph task` in a clone: the registers of its fleet; null: no store is named. */
export async function fleetOfPlan({ home, env }: { readonly home: string; readonly env: Environment }): Promise<ReturnType<typeof registersOf> | null> {
  const url = storeUrl({ flag: null, env, setting: (await loadSettings(home)).settings.store?.url });
  if (url === null) return null;
  const { database, fleet } = await openFleetAt(url, { home, env });
  return registersOf(database, fleet.id);
}

async function openFleetAt(url: string, { home, env }: { readonly home: string; readonly env: Environment }): Promise<OpenFleet> {
  const base = (await gitAt(home, env)(['symbolic-ref', '--quiet', '--short', 'HEAD'])).stdout.trim();
  return await openFleet(url, { topLevel: home, env, base });
}

/** For `ralph verify --store` in a clone: the public keys of the workers of its fleet. */
export async function keysOfFleet(url: string, place: { readonly home: string; readonly env: Environment }): Promise<readonly StoredKey[]> {
  await using opened = await openFleetAt(url, place);
  const keys = await receiptKeysOf(opened.database, opened.fleet.id);
  return keys.map(({ publicKey, host }) => ({ text: publicKey, from: `the worker ${host} of the fleet ${opened.fleet.name}` }));
}

/**
 * The fleet of a machine that is about to work for it, with its checkout where the remote is: everybody starts from the same plan. What nobody else has is refused.
 */
export async function openFleetToWork(url: string, clone: FleetClone): Promise<OpenFleet & { readonly store: StoreOfRun }> {
  const opened = await openFleet(url, clone);
  try {
    const { database, fleet, remote } = opened;
    if (fleet.mode === 'draining')
      throw refused('fleet-drains', `the fleet ${fleet.name} is asked to end its work`, 'Let it work again with: ralph fleet resume');
    await followRemote(clone, remote, clone.base);
    await refuseWithoutPush(clone, remote, clone.base);
    return { ...opened, store: { address: database.name, fleet: fleet.id, remote, leaseMs: fleet.leaseMs } };
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/** The same file on every machine, and on one branch. */
export async function joinWithPlan({ database, fleet }: OpenFleet, clone: FleetClone, plan: string): Promise<void> {
  await refuseOwnPlan(clone, plan);
  await joinPlan(database, fleet.id, { path: plan, base: clone.base });
}
