import { basename } from 'node:path';
import { positiveDurationOf } from '../../cli/shared/flags.ts';
import { openScope } from '../../kit/async/scope.ts';
import { formatDuration } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { printable } from '../../kit/pure/text.ts';
import type { FleetView } from '../../report/views/fleet-view.ts';
import { addFleet, findFleet, forgetPlan, plansOf, setFleetMode, workersOf } from '../../store/postgres/fleets.ts';
import { knownMigrations, migrate } from '../../store/postgres/migrations.ts';
import { checkServer, openDatabase } from '../../store/postgres/open-database.ts';
import { checkMayWork, grantAgain, makeRoles, ROLES } from '../../store/postgres/roles.ts';
import type { FleetMode } from '../../store/postgres/session.ts';
import { claimRemote, fleetOn, newFleetId, remoteOf } from '../../workspace/fleet-remote.ts';
import { MOST_WORKERS, viewFleet, workerView } from '../fleet-view.ts';
import { foreign, openFleetToWork } from '../open-fleet.ts';
import { budgetLine } from './budget.ts';
import { type FleetFlags, fleetHere, hereOf, print, storeHere } from './fleet-here.ts';
import { lookAtPlan, type PlanView } from './plan-view.ts';

interface InitFlags extends FleetFlags {
  readonly name?: string;
  readonly lease?: string;
}

const LEASE_MS = 30_000;
/** Ending an agent takes up to eight seconds, and that is a third of it at most. */
const SHORTEST_LEASE_MS = 1_000;
const LONGEST_LEASE_MS = 3_600_000;

export async function initCommand({ store, name, lease, json = false }: InitFlags): Promise<number> {
  const leaseMs = positiveDurationOf('--lease', lease) ?? LEASE_MS;
  if (leaseMs < SHORTEST_LEASE_MS || leaseMs > LONGEST_LEASE_MS)
    throw new OperatorError('usage', `--lease must be between 1s and 1h, not ${lease}`, { hint: 'For example 30s.', exitCode: 2 });
  await using scope = openScope();
  const { url, clone } = await hereOf(store, scope);
  await using database = await openDatabase(url);
  await checkServer(database);
  const remote = await remoteOf(clone, clone.base);
  const there = await fleetOn(clone, remote);
  const done = await migrate(database, await knownMigrations());
  if (done.length > 0) await grantAgain(database);
  const id = there ?? (await newFleetId(clone));
  // First the row: a remote must never belong to a fleet that nobody knows.
  if (there === null) await addFleet(database, { id, name: name ?? basename(clone.topLevel), leaseMs });
  const claimed = there ?? (await claimRemote(clone, remote, id));
  const fleet = await findFleet(database, claimed);
  if (fleet === null) throw foreign(remote, database.name);
  const isNew = claimed === id && there === null;
  const view = { fleet: fleet.name, store: database.name, remote, lease_ms: fleet.leaseMs, is_new: isNew, migrations: done };
  print(json, view, [
    isNew ? `${remote} belongs to the fleet ${fleet.name} now` : `${remote} belongs to the fleet ${fleet.name} already`,
    `Store: ${database.name}${done.length === 0 ? '' : ` (${done.join(', ')})`}`,
    `Lease: ${formatDuration(fleet.leaseMs)}`,
    'Next, on every machine: ralph work --store …',
  ]);
  return 0;
}

/** For people who own the tables, in any folder. */
export async function migrateCommand({ store, json = false }: FleetFlags): Promise<number> {
  await using database = await openDatabase(await storeHere(store));
  await checkServer(database);
  const done = await migrate(database, await knownMigrations());
  if (done.length > 0) await grantAgain(database);
  const said = done.length === 0 ? 'nothing to do' : done.join(', ');
  print(json, { store: database.name, migrations: done }, [`The tables of ${database.name} are up to date: ${said}`]);
  return 0;
}

/** Refuses whatever `ralph work` would refuse of this machine as a member of the fleet. Takes no task, and binds no plan. */
export async function joinCommand({ store, json = false }: FleetFlags): Promise<number> {
  await using scope = openScope();
  const { url, clone } = await hereOf(store, scope);
  await using opened = await openFleetToWork(url, clone);
  const { database, fleet, remote } = opened;
  await checkMayWork(database);
  const plans = await plansOf(database, fleet.id);
  const named = plans.find(({ base }) => base === clone.base)?.path;
  const words = ['work', ...(store === undefined ? [] : ['--store', database.name]), '--plan', ...(named === undefined ? [] : [named])];
  print(json, { fleet: fleet.name, mode: fleet.mode, store: database.name, remote, branch: clone.base, plans }, [
    `This machine can work for the fleet ${printable(fleet.name)}: ${database.name} and ${remote} let it.`,
    `${printable(clone.base)} is up to date. Next: ralph ${printable(words.map(shellQuote).join(' '))}${named === undefined ? ' …' : ''} --agent …`,
  ]);
  return 0;
}

export async function forgetCommand(plan: string, { store, json = false }: FleetFlags): Promise<number> {
  await using scope = openScope();
  const { database, fleet } = await fleetHere(store, scope);
  const answer = await forgetPlan(database, fleet.id, plan);
  if (answer !== 'forgotten') throw cannotForget(printable(plan), answer);
  print(json, { fleet: fleet.name, plan }, [`The next worker decides on which branch the fleet works off ${printable(plan)}.`]);
  return 0;
}

function cannotForget(plan: string, why: 'unknown' | 'at-work' | 'begun'): OperatorError {
  const [message, hint] = {
    unknown: [`the fleet does not know a plan ${plan}`, 'See its plans: ralph fleet status'],
    'at-work': [`somebody works on ${plan}`, 'Let them end first: ralph fleet drain'],
    begun: [`tasks of ${plan} were begun on its branch, and their results are there`, 'Work on them there, or give the plan another name.'],
  }[why] as [string, string];
  return new OperatorError(`plan-${why}`, message, { hint, exitCode: 2 });
}

export async function workersCommand({ store, json = false }: FleetFlags): Promise<number> {
  await using scope = openScope();
  const { database, fleet } = await fleetHere(store, scope);
  const { workers } = await workersOf(database, fleet.id, { most: MOST_WORKERS, lostMs: null });
  print(
    json,
    { fleet: fleet.name, workers: workers.map(workerView) },
    workers.length === 0 ? ['Nobody has worked for this fleet yet.'] : workers.map(workerView).map(workerLine),
  );
  return 0;
}

export async function statusCommand({ store, json = false }: FleetFlags): Promise<number> {
  await using scope = openScope();
  const { database, fleet, clone } = await fleetHere(store, scope);
  const { plans: _, ...whole } = await viewFleet(database, fleet);
  const working = whole.workers.filter(({ state }) => state === 'working');
  const plans = await Promise.all((await plansOf(database, fleet.id)).map((plan) => lookAtPlan(plan, { database, fleet: fleet.id, clone, workers: working })));
  print(json, { ...whole, plans }, [
    ...headLines(whole),
    ...plans.flatMap(planLines),
    ...(plans.length === 0 ? [NO_PLAN] : []),
    ...(working.length === 0 ? [] : ['', ...working.map(workerLine)]),
  ]);
  return 0;
}

export const NO_PLAN = 'Nobody has worked on a plan yet.';

export function headLines({ fleet, mode, budget, at_work: count }: Pick<FleetView, 'fleet' | 'mode' | 'budget' | 'at_work'>): readonly string[] {
  return [`Fleet ${printable(fleet)}: ${mode}, ${count === 1 ? '1 worker' : `${count} workers`} at work`, budgetLine(budget)];
}

export async function rolesCommand({ store, json = false }: FleetFlags): Promise<number> {
  await using scope = openScope();
  const { database } = await fleetHere(store, scope);
  await makeRoles(database);
  print(json, { store: database.name, roles: ROLES }, [
    `${ROLES.worker} may work for the fleets of ${database.name}, ${ROLES.reader} may only look.`,
    `Give a login its role: create role night with login password '…'; grant ${ROLES.worker} to night;`,
  ]);
  return 0;
}

export async function modeCommand(mode: FleetMode, { store, json = false }: FleetFlags): Promise<number> {
  await using scope = openScope();
  const { database, fleet } = await fleetHere(store, scope);
  await setFleetMode(database, fleet.id, mode);
  print(json, { fleet: fleet.name, mode }, [`The fleet ${printable(fleet.name)} is ${mode}: its workers learn it within ${formatDuration(fleet.leaseMs)}.`]);
  return 0;
}

export function workerLine({ run, host, workers, agent, labels = [], state, silent_ms }: FleetView['workers'][number]): string {
  const what = state === 'working' ? 'at work' : `${state} ${formatDuration(Math.round(silent_ms / 1_000) * 1_000)} ago`;
  const own = labels.filter((label) => !/^(?:agent|sandbox):/.test(label));
  return `  ${printable(host)}  ${printable(run)}  ${workers ?? 1} x ${printable([agent ?? '', ...own].join(' '))}  ${what}`;
}

function planLines({ plan, base, problem, counts, held, left, unfit }: PlanView): readonly string[] {
  const title = `Plan ${printable(plan)} on ${printable(base)}`;
  if (counts === null) return [`${title}: ${printable(problem ?? '')}`];
  const { total, complete, in_progress, ready } = counts;
  return [
    `${title}: ${complete} of ${total} done, ${in_progress} in progress, ${ready} ready`,
    ...held.map(heldLine),
    ...left.map(({ task, state }) => `  ${printable(task)}  ${state}: needs you`),
    ...unfit.map(({ task, runs_on }) => `  ${printable(task)}  runs on ${printable(runs_on.join(', '))}: nobody at work has that`),
  ];
}

export function heldLine({ task, holder, alive }: { readonly task: string; readonly holder: string | null; readonly alive: boolean }): string {
  return `  ${printable(task)}  ${printable(holder ?? 'somebody')}${alive ? '' : ' (lost: whoever is free takes it)'}`;
}
