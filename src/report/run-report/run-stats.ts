import { type CostSumView, costSumView, type Spending, sumOfCosts } from '../../journal/state/spending.ts';
import { costText, formatDuration, plural } from '../../kit/pure/amounts.ts';
import { printable } from '../../kit/pure/text.ts';
import { planPathOf } from '../../settings/schema/recipe-facts.ts';
import { type Figures, type ItemFigures, itemsSoFar } from '../history/figures.ts';
import { alignRows } from '../views/align-rows.ts';
import { agentName, failedText } from './report-tables.ts';

/** What one agent with one model has done over many runs, in the form of `ralph stats --json`. */
export interface AgentStats extends CostSumView {
  readonly agent: string;
  readonly model: string | null;
  readonly runs: number;
  readonly iterations: number;
  readonly attempts: number;
  /** Tasks, stories, and runs without either that it worked on last, and how many of them are proven. */
  readonly results: number;
  readonly proven: number;
  /** How many attempts failed, by their cause. */
  readonly failed: Readonly<Record<string, number>>;
  /** From the first iteration of a result to its proof, without breaks. */
  readonly median_time_to_proven_ms: number | null;
}

/** How far the newest run on a plan came. */
interface PlanStats {
  readonly plan: string;
  readonly complete: number;
  readonly total: number;
}

interface Sum {
  readonly agent: string;
  readonly model: string | null;
  runs: number;
  iterations: number;
  attempts: number;
  results: number;
  /** What each run spent on it. */
  readonly parts: { readonly spent: Spending; readonly whole: Spending }[];
  readonly failed: Map<string, number>;
  readonly provenMs: number[];
}

/** Adds up one run after the other, the newest first. */
interface StatsFold {
  add(figures: Figures): void;
  stats(): readonly AgentStats[];
  plans(): readonly PlanStats[];
}

export function openStats(): StatsFold {
  const sums = new Map<string, Sum>();
  const plans = new Map<string, PlanStats>();
  return {
    add(figures) {
      const plan = planStatsOf(figures);
      if (plan !== null && !plans.has(plan.plan)) plans.set(plan.plan, plan);
      for (const [key, { agent, model, iterations, spent, causes }] of figures.agents) {
        const sum = sums.get(key) ?? newSum(agent, model);
        sums.set(key, sum);
        sum.runs += 1;
        sum.iterations += iterations;
        sum.attempts += spent.attempts;
        sum.parts.push({ spent, whole: figures.spent });
        for (const [cause, count] of causes) sum.failed.set(cause, (sum.failed.get(cause) ?? 0) + count);
      }
      for (const item of itemsSoFar(figures)) addResult(sums, item);
    },
    plans: () => [...plans.values()],
    stats: () => [...sums.values()].map(statsOf).sort((one, other) => other.proven - one.proven || other.runs - one.runs),
  };
}

function planStatsOf({ settings, planned, items }: Figures): PlanStats | null {
  const plan = planPathOf(settings);
  if (plan === undefined || planned === null) return null;
  const done = [...items.values()].filter(({ doneAtMs }) => doneAtMs !== null).length;
  return { plan, complete: Math.min(planned.total, planned.completeBefore + done), total: planned.total };
}

function newSum(agent: string, model: string | null): Sum {
  return { agent, model, runs: 0, iterations: 0, attempts: 0, results: 0, parts: [], failed: new Map(), provenMs: [] };
}

function addResult(sums: ReadonlyMap<string, Sum>, { agent, doneAtMs, isProven, workedMs }: ItemFigures): void {
  const sum = sums.get(agent ?? '');
  if (!sum) return;
  sum.results += 1;
  if (doneAtMs !== null && isProven) sum.provenMs.push(workedMs);
}

function statsOf({ agent, model, runs, iterations, attempts, results, parts, failed, provenMs }: Sum): AgentStats {
  const proven = provenMs.length;
  return {
    ...{ agent, model, runs, iterations, attempts, results, proven },
    ...costSumView(sumOfCosts(parts), proven),
    failed: Object.fromEntries(failed),
    median_time_to_proven_ms: median(provenMs),
  };
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

const NAME_CHARS = 60;

/** The same for people. */
export function runStatsLines(stats: readonly AgentStats[], plans: readonly PlanStats[] = []): readonly string[] {
  return [
    ...alignRows([['AGENT', 'RUNS', 'ITERATIONS', 'PROVEN', 'COST', 'COST/PROVEN', 'TIME/PROVEN', 'FAILED ATTEMPTS'], ...stats.map(cellsOf)]),
    ...plans.map(({ plan, complete, total }) => `${printable(plan)}: ${complete} of ${plural(total, 'task')} complete after its newest run`),
  ];
}

function cellsOf(stats: AgentStats): readonly string[] {
  const { runs, iterations, results, proven, cost_usd, cost_estimated, cost_incomplete, cost_per_proven_usd, median_time_to_proven_ms: medianMs } = stats;
  const least = cost_incomplete ? 'at least ' : '';
  const cost = cost_usd === null ? 'unknown' : `${least}${costText(cost_usd)}${cost_estimated ? ' (estimated)' : ''}`;
  return [
    printable(agentName(stats)).slice(0, NAME_CHARS),
    ...[`${runs}`, `${iterations}`, `${proven} of ${results}`, cost],
    cost_per_proven_usd === null ? 'unknown' : `${least}${costText(cost_per_proven_usd)}`,
    medianMs === null ? 'none' : formatDuration(medianMs),
    failedText(stats.failed),
  ];
}
