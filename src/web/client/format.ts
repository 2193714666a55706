import type { CostSumView } from '../../journal/state/spending.ts';
import { formatDuration } from '../../kit/pure/amounts.ts';

export const money = (usd: number | null) => (usd === null ? '–' : `$${usd < 10 ? usd.toFixed(2) : usd.toFixed(1)}`);

type Known = Pick<CostSumView, 'cost_estimated' | 'cost_incomplete'>;

/** A sum over runs, with a sign if it is only the least, or estimated. */
export function summedMoney(usd: number | null, { cost_estimated, cost_incomplete }: Known): string {
  const sign = cost_incomplete ? '≥ ' : cost_estimated ? '≈ ' : '';
  return usd === null ? money(usd) : `${sign}${money(usd)}`;
}

/** What the sign means; empty without one. */
export function howKnown({ cost_estimated, cost_incomplete }: Known): string {
  if (cost_incomplete) return 'It was more: a run of which nobody told any cost is part of it.';
  return cost_estimated ? 'Partly estimated: not every attempt told its cost.' : '';
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** In whole seconds, and for long times in whole minutes. */
export function duration(ms: number): string {
  const unit = ms > 10 * MINUTE ? MINUTE : SECOND;
  return formatDuration(Math.max(0, Math.floor(ms / unit) * unit));
}

const sameDay = (one: Date, other: Date) => one.toDateString() === other.toDateString();

/** With the date, unless it is that of `dayMs`. */
export function clock(ms: number, withSeconds = false, dayMs = Date.now()): string {
  const date = new Date(ms);
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', ...(withSeconds && { second: '2-digit' }), hour12: false });
  return sameDay(date, new Date(dayMs)) ? time : `${date.toLocaleDateString([], { month: 'short', day: 'numeric' })} ${time}`;
}

export const utcOffsetMs = () => -new Date().getTimezoneOffset() * MINUTE;

export const percent = (share: number) => `${Math.round(share * 100)} %`;

/** The part of a run id that tells it from the others. */
export const shortRun = (run: string) => run.slice(run.lastIndexOf('-') + 1);
