import { type AttemptCost, assumedCosts } from '../journal/state/spending.ts';
import * as z from '../kit/pure/shape.ts';

const RunCosts = z.strictObject({
  usd: z.number().nonnegative(),
  /** The last attempts that are in it, so that none counts twice after a crash. */
  attempts: z.array(z.string()),
});

/** What the runs of this machine have cost on one day. */
const DayCosts = z.strictObject({
  runs: z.record(z.string(), RunCosts),
  /** The costs of the last work and review attempts that said what they cost. */
  costs: z.array(z.number().nonnegative()),
});
export type DayCosts = Readonly<z.infer<typeof DayCosts>>;

export const noCosts: DayCosts = { runs: {}, costs: [] };

/** Null if it is not what Ralph writes. */
export function dayCostsIn(value: unknown): DayCosts | null {
  return DayCosts.safeParse(value).data ?? null;
}

/** More than a run can have workers. */
const MOST_ATTEMPTS = 128;
const MOST_COSTS = 100;

/** Adds the cost of an attempt once. One that did not say what it cost is taken for an expensive one of the day, and a commit message for the cheapest. */
export function withCost(day: DayCosts, run: string, { key: attempt, usd, isMessage = false }: AttemptCost): DayCosts {
  const before = day.runs[run] ?? { usd: 0, attempts: [] };
  if (before.attempts.includes(attempt)) return day;
  const assumed = assumedCosts(day.costs);
  const cost = usd ?? (isMessage ? assumed?.messageUsd : assumed?.workUsd) ?? 0;
  const after = { usd: before.usd + cost, attempts: [...before.attempts, attempt].slice(-MOST_ATTEMPTS) };
  return { runs: { ...day.runs, [run]: after }, costs: usd === null || isMessage ? day.costs : [...day.costs, usd].slice(-MOST_COSTS) };
}

export const dayTotal = ({ runs }: DayCosts): number => Object.values(runs).reduce((sum, { usd }) => sum + usd, 0);
