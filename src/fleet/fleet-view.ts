import { Holder, TaskRegister } from '../journal/words/task-register.ts';
import * as z from '../kit/pure/shape.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import type { FleetView, HolderView, LeftTask } from '../report/views/fleet-view.ts';
import { budgetOfFleet, type FleetBudget } from '../store/postgres/budget.ts';
import { allFleets, begunTasks, type Fleet, type FleetWorker, plansOf, workersOf } from '../store/postgres/fleets.ts';
import { checkMigrations, knownMigrations } from '../store/postgres/migrations.ts';
import type { Database } from '../store/postgres/open-database.ts';

export const MOST_WORKERS = 100;
const MOST_TASKS = 500;
/** Later, a worker that died is no news any more: others have its tasks. */
const LOST_MS = 3_600_000;
const MOST_FEEDBACK = 500;

/** Every fleet of a store. A reader may do that. */
export async function viewFleets(database: Database): Promise<readonly FleetView[]> {
  await checkMigrations(database, await knownMigrations());
  return await Promise.all((await allFleets(database)).map((fleet) => viewFleet(database, fleet)));
}

export async function viewFleet(database: Database, { id, name, mode }: Fleet): Promise<FleetView> {
  const { atWork, workers } = await workersOf(database, id, { most: MOST_WORKERS, lostMs: LOST_MS });
  const { counts, taken } = await begunTasks(database, id, MOST_TASKS);
  const begun = taken.flatMap(({ name: register, value, isDead }) => begunTask(register, value, isDead));
  const seats = new Map(taken.map(({ name: register, value, isDead }) => [register, holderView(Holder.safeParse(value).data ?? null, isDead)]));
  const plans = (await plansOf(database, id)).map(({ path, base }) => ({
    ...{ plan: path, base, merging: seats.get(`merge/${base}`) ?? null },
    counts: Object.fromEntries(counts.filter(({ plan }) => plan === path).map(({ state, count }) => [state, count])),
    held: begun.flatMap(({ plan, held }) => (plan === path && held !== null ? [held] : [])),
    left: begun.flatMap(({ plan, left }) => (plan === path && left !== null ? [left] : [])),
  }));
  const budget = budgetView(await budgetOfFleet(database, id));
  return { fleet: name, mode, store: database.name, budget, at_work: atWork, workers: workers.map(workerView), plans };
}

type PlanInView = FleetView['plans'][number];
interface BegunTask {
  readonly plan: string;
  readonly held: PlanInView['held'][number] | null;
  readonly left: LeftTask | null;
}

/** None if it is the register of something else, or cannot be read. */
function begunTask(name: string, value: unknown, isDead: boolean): readonly BegunTask[] {
  const [, plan = '', escaped = ''] = /^task\/(.*)\/([^/]*)$/.exec(name) ?? [];
  const register = TaskRegister.safeParse(value).data;
  if (escaped === '' || register === undefined) return [];
  const task = escaped.replaceAll('%2F', '/').replaceAll('%25', '%');
  if (register.state === 'held') return [{ plan, held: { task, ...holderView(register.holder, isDead) }, left: null }];
  const left = leftTask(task, register.state, register);
  return [{ plan, held: null, left: { ...left, feedback: truncateCodePoints(left.feedback, MOST_FEEDBACK, '…') } }];
}

const holderView = (holder: Holder | null, isDead: boolean): HolderView => ({
  holder: holder?.name ?? null,
  host: holder?.process?.host ?? null,
  alive: !isDead,
});

export function leftTask(task: string, state: string, register: TaskRegister | null): LeftTask {
  const { question, claim, feedback = '' } = register ?? {};
  return { task, state, question: question?.text ?? null, changed: claim?.changed.map(({ path }) => path) ?? [], feedback };
}

export const budgetView = ({ limitUsd, spentUsd, reservedUsd }: FleetBudget) => ({ limit_usd: limitUsd, spent_usd: spentUsd, reserved_usd: reservedUsd });

const text = z.string().optional();
const About = z.object({ plan: text, workers: z.number().optional(), agent: text, sandbox: text, labels: z.array(z.string()).optional(), ralph: text });

export const workerView = ({ run, host, about, state, startedAt, sinceMs }: FleetWorker) => ({
  ...{ ...About.safeParse(about).data, run, host, state },
  started_at: new Date(startedAt).toISOString(),
  silent_ms: state === 'working' ? 0 : Math.round(sinceMs),
});
