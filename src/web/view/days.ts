import type { EventBody, JournalEvent } from '../../journal/events/journal-event.ts';
import { spentWith } from '../../journal/evolve/spending.ts';
import { costSumView, noSpending, type Spending, sumOfCosts } from '../../journal/state/spending.ts';
import type { Claim } from '../../journal/words/claim.ts';
import type { Figures } from '../../report/history/figures.ts';
import type { DayView, GateStats, TodayView } from './page.ts';

/** What one run did on one day. What is proven is not in it: the figures of the run know that. */
interface Day {
  claimed: number;
  refused: number;
  spent: Spending;
}

interface GateSum {
  runs: number;
  red: number;
  totalMs: number;
  slowestMs: number;
}

/** Claims, refusals and spending by day, and gates by command. */
export interface DaysFold {
  add(event: JournalEvent): void;
  readonly days: ReadonlyMap<string, Readonly<Day>>;
  readonly gates: ReadonlyMap<string, Readonly<GateSum>>;
}

/** `dateOf` knows the operator's calendar. */
export function openDays(dateOf: (ms: number) => string): DaysFold {
  const days = new Map<string, Day>();
  const gates = new Map<string, GateSum>();
  const claimed = new Set<number>();

  function dayAt(at: number): Day {
    const date = dateOf(at);
    const day = days.get(date) ?? { claimed: 0, refused: 0, spent: noSpending };
    days.set(date, day);
    return day;
  }

  function close({ iteration, accepted }: Extract<EventBody, { type: 'iteration.closed' }>, at: number): void {
    if (!claimed.delete(iteration)) return;
    const day = dayAt(at);
    if (accepted) day.claimed += 1;
    else refuse(day);
  }

  return {
    ...{ days, gates },
    add({ body, at }) {
      const claiming = claimIn(body);
      if (claiming !== null) claimed.add(claiming);
      if (body.type === 'attempt.ended') {
        const day = dayAt(at);
        day.spent = spentWith(day.spent, body);
      }
      if (body.type === 'iteration.closed') close(body, at);
      if (body.type === 'done.refused') refuse(dayAt(at));
      for (const { gate, green, duration_ms } of resultsIn(body)) addGate(gates, gate.command, { green, ms: duration_ms });
    },
  };
}

function refuse(day: Day): void {
  day.claimed += 1;
  day.refused += 1;
}

const resultsIn = (body: EventBody) => (body.type === 'gates.judged' || body.type === 'proof.judged' || body.type === 'merge.judged' ? body.results : []);

/** The iteration that has just claimed to be done. */
function claimIn(body: EventBody): number | null {
  if (body.type === 'attempt.ended' && isDoneClaim(body.claim)) return body.iteration;
  if (body.type === 'plan.settled' && body.claimed) return body.iteration;
  return null;
}

const isDoneClaim = (claim: Claim | null) => claim !== null && claim.by !== 'blocked' && claim.by !== 'question';

function addGate(gates: Map<string, GateSum>, command: string, { green, ms }: { readonly green: boolean; readonly ms: number }): void {
  const sum = gates.get(command) ?? { runs: 0, red: 0, totalMs: 0, slowestMs: 0 };
  gates.set(command, sum);
  sum.runs += 1;
  sum.red += green ? 0 : 1;
  sum.totalMs += ms;
  sum.slowestMs = Math.max(sum.slowestMs, ms);
}

/** The folds of one run that the sums over all runs need. */
export interface RunSums {
  readonly days: DaysFold['days'];
  readonly gates: DaysFold['gates'];
  /** When its results were proven. */
  readonly provenAtMs: readonly number[];
  /** Of the whole run. */
  readonly spent: Spending;
}

export function provenTimes({ items }: Pick<Figures, 'items'>): readonly number[] {
  return [...items.values()].flatMap(({ doneAtMs, isProven }) => (doneAtMs !== null && isProven ? [doneAtMs] : []));
}

interface DaySum {
  proven: number;
  claimed: number;
  refused: number;
  readonly parts: { readonly spent: Spending; readonly whole: Spending }[];
}

/** All days on which something happened, the earliest first. */
export function daysOf(runs: readonly RunSums[], dateOf: (ms: number) => string): readonly DayView[] {
  const sums = new Map<string, DaySum>();
  const at = (date: string) => {
    const sum = sums.get(date) ?? { proven: 0, claimed: 0, refused: 0, parts: [] };
    sums.set(date, sum);
    return sum;
  };
  for (const { days, provenAtMs, spent: whole } of runs) {
    for (const ms of provenAtMs) at(dateOf(ms)).proven += 1;
    for (const [date, { claimed, refused, spent }] of days) {
      const sum = at(date);
      sum.claimed += claimed;
      sum.refused += refused;
      sum.parts.push({ spent, whole });
    }
  }
  const days = [...sums].map(([date, { parts, ...counts }]): DayView => ({ date, ...counts, ...costSumView(sumOfCosts(parts), counts.proven) }));
  return days.sort((one, other) => (one.date < other.date ? -1 : 1));
}

export function todayOf(days: readonly DayView[], today: string): TodayView {
  const { date: _, ...sums } = days.find(({ date }) => date === today) ?? { date: today, ...NOTHING };
  return sums;
}

const NOTHING: TodayView = { proven: 0, claimed: 0, refused: 0, ...costSumView(sumOfCosts([]), 0) };

const MOST_RED = 30;
const MOST_SLOW = 10;

/** Those that fail most often come first; the slowest are there too. */
export function gateStatsOf(runs: readonly Pick<RunSums, 'gates'>[]): readonly GateStats[] {
  const sums = new Map<string, GateSum>();
  for (const { gates } of runs) {
    for (const [command, { runs: count, red, totalMs, slowestMs }] of gates) {
      const sum = sums.get(command) ?? { runs: 0, red: 0, totalMs: 0, slowestMs: 0 };
      sums.set(command, { runs: sum.runs + count, red: sum.red + red, totalMs: sum.totalMs + totalMs, slowestMs: Math.max(sum.slowestMs, slowestMs) });
    }
  }
  const all = [...sums]
    .map(([command, { runs: count, red, totalMs, slowestMs }]) => ({ command, runs: count, red, mean_ms: totalMs / count, slowest_ms: slowestMs }))
    .sort((one, other) => other.red / other.runs - one.red / one.runs || other.runs - one.runs);
  const slow = all.toSorted((one, other) => other.slowest_ms - one.slowest_ms).slice(0, MOST_SLOW);
  return [...new Set([...all.slice(0, MOST_RED), ...slow])];
}
