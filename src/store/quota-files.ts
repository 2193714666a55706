import { readdir, rm } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { DaySpending, QuotaPort, SharedBudget } from '../engine/ports/quota.ts';
import type { Registers } from '../engine/ports/stores.ts';
import { latestNumbered, putNumbered } from '../kit/files/numbered.ts';
import { type DayCosts, dayCostsIn, dayTotal, noCosts, withCost } from '../limits/day-costs.ts';
import { limitIn, noQuota, type Quota, quotaIn, withHeard } from '../limits/quota.ts';
import { stateFolder } from './user-folders.ts';

/** Never in the work tree, where a commit would publish it. Null: there is no other place. */
export function quotaFolder(env: Readonly<Record<string, string>>, workTree: string): string | null {
  const folder = stateFolder(env);
  const path = folder === null ? '..' : relative(workTree, folder);
  return path.startsWith('..') || isAbsolute(path) ? folder : null;
}

interface QuotaOptions {
  /** Null: there is no folder for it, so nothing is remembered beyond this run. */
  readonly folder: string | null;
  /** What the machines of a fleet share; absent: there is no fleet. */
  readonly shared?: Registers | undefined;
  readonly budget?: SharedBudget | undefined;
  readonly run: string;
  readonly nowMs: () => number;
  readonly warn: (text: string) => void;
}

const MOST_TRIES = 20;

/** What the runs of this user share: registers in the user's state folder, changed by compare-and-set. Trouble with them is told once, and stops no run. */
export function openQuota({ folder: asked, shared, budget, run, nowMs, warn }: QuotaOptions): QuotaPort {
  let folder = asked;
  let fleet = shared;
  const own = new Map<string, unknown>();
  let isTold = false;
  const trouble = (text: string) => {
    if (!isTold) warn(text);
    isTold = true;
  };

  const placeOf = ({ isShared }: Kind<unknown>): SharedPlace =>
    isShared && fleet !== undefined ? inRegisters(fleet) : folder === null ? inMemory(own) : inFiles(folder);

  async function read<T>(kind: Kind<T>): Promise<{ readonly n: number; readonly value: T }> {
    const { name, none, parse } = kind;
    const found = await placeOf(kind).latest(name);
    if (found === null) return { n: 0, value: none };
    const value = parse(found.value);
    if (value === null) trouble(`${found.where} cannot be read, so what it said of usage limits and costs is lost; Ralph starts it anew`);
    return { n: found.n, value: value ?? none };
  }

  async function change<T>(kind: Kind<T>, next: (value: T) => T): Promise<T> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const { n, value } = await read(kind);
      const changed = next(value);
      if (changed === value) return value;
      if ((await placeOf(kind).put(kind.name, n + 1, changed)) === 'put') return changed;
    }
    throw new Error('other runs write all the time');
  }

  /** Without its files a run still knows what it has learnt and spent itself. */
  async function safely<T>(kind: Kind<T>, work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      own.set(kind.name, value);
      return value;
    } catch (error) {
      trouble(`what is known of usage limits and costs cannot be shared with other runs: ${(error as Error).message}`);
      if (kind.isShared && fleet !== undefined) fleet = undefined;
      else folder = null;
      return await work();
    }
  }

  // Without a fleet all accounts are in one place, which `ralph quota` shows.
  const quotaFor = (isEverywhere = false) => (isEverywhere && fleet !== undefined ? SHARED_QUOTA : QUOTA);
  return {
    ...(budget && { budget }),
    async limitOf({ name, model, isEverywhere }) {
      const kind = quotaFor(isEverywhere);
      const quota = await safely(kind, async () => (await read(kind)).value);
      return limitIn(quota, name, model, nowMs());
    },
    async note({ name, model, isEverywhere }, signs, hasWorked) {
      const kind = quotaFor(isEverywhere);
      await safely(kind, () => change(kind, (quota) => withHeard(quota, name, { signs, hasWorked, model }, nowMs())));
    },
    async spentToday() {
      const day = localDay(nowMs());
      const kind = costsOf(day);
      return dayOf(await safely(kind, async () => (await read(kind)).value), day);
    },
    async addCost(cost) {
      const day = localDay(nowMs());
      const kind = costsOf(day);
      const costs = await safely(kind, () => change(kind, (before) => withCost(before, run, cost)));
      if (folder !== null) await removeOldDays(folder, day.date).catch(() => undefined);
      return dayOf(costs, day);
    },
  };
}

const dayOf = (costs: DayCosts, { date, endsAtMs }: Day): DaySpending => ({ date, endsAtMs, usd: dayTotal(costs) });

/** Where these values are: each has a number, and is written under the next one. */
interface SharedPlace {
  latest(name: string): Promise<{ readonly n: number; readonly value: unknown; readonly where: string } | null>;
  put(name: string, n: number, value: unknown): Promise<'put' | 'taken'>;
}

const inFiles = (folder: string): SharedPlace => ({
  async latest(name) {
    const found = await latestNumbered(folder, name);
    return found === null ? null : { n: found.n, value: jsonIn(found.content), where: found.path };
  },
  put: (name, n, value) => putNumbered(folder, name, n, `${JSON.stringify(value)}\n`),
});

const inRegisters = (registers: Registers): SharedPlace => ({
  async latest(name) {
    const found = await registers.get(name);
    return found === null ? null : { ...found, where: `the register ${name}` };
  },
  put: (name, n, value) => registers.put(name, n, value),
});

const inMemory = (own: Map<string, unknown>): SharedPlace => ({
  latest: async (name) => (own.has(name) ? { n: 0, value: own.get(name), where: 'memory' } : null),
  async put(name, _n, value) {
    own.set(name, value);
    return 'put';
  },
});

interface Kind<T> {
  readonly name: string;
  /** Whether it counts for all machines of a fleet. What an account's windows say does, if its name means the same login on all of them. */
  readonly isShared: boolean;
  readonly none: T;
  readonly parse: (value: unknown) => T | null;
}

/** Accounts whose name means the same login on every machine. */
const SHARED_QUOTA: Kind<Quota> = { name: 'quota-of-keys', isShared: true, none: noQuota, parse: quotaIn };
const QUOTA: Kind<Quota> = { name: 'quota', isShared: false, none: noQuota, parse: quotaIn };
const costsOf = ({ date }: Day): Kind<DayCosts> => ({ name: `cost-${date}`, isShared: true, none: noCosts, parse: dayCostsIn });

interface Day {
  readonly date: string;
  readonly endsAtMs: number;
}

/** The day of the user's own calendar. */
export function localDay(nowMs: number): Day {
  const now = new Date(nowMs);
  const pad = (value: number) => String(value).padStart(2, '0');
  const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return { date: `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`, endsAtMs: next.getTime() };
}

async function removeOldDays(folder: string, today: string): Promise<void> {
  const old = (await readdir(folder)).filter((name) => /^cost-\d{4}-\d\d-\d\d@/.test(name) && !name.startsWith(`cost-${today}@`));
  for (const name of old) await rm(join(folder, name), { force: true });
}

/** What is known, for people; null: it cannot be read. */
export async function readQuota(folder: string | null): Promise<Quota | null> {
  const found = folder === null ? null : await latestNumbered(folder, QUOTA.name);
  return found === null ? noQuota : quotaIn(jsonIn(found.content));
}

/** The next run asks the providers again. */
export async function forgetQuota(folder: string | null): Promise<void> {
  const found = folder === null ? null : await latestNumbered(folder, QUOTA.name);
  if (folder !== null && found !== null) await putNumbered(folder, QUOTA.name, found.n + 1, `${JSON.stringify(noQuota)}\n`);
}

/** Undefined for half a line and other garbage. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
