import { formatDuration } from '../../kit/pure/amounts.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import type { Quota, QuotaWindow } from '../../limits/quota.ts';
import { io } from '../../process/io.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { forgetQuota, openQuota, readQuota } from '../../store/quota-files.ts';
import { stateFolder } from '../../store/user-folders.ts';

interface QuotaFlags {
  readonly forget?: boolean;
  readonly json?: boolean;
}

export async function quotaCommand({ forget = false, json = false }: QuotaFlags): Promise<number> {
  const folder = stateFolder(environment());
  const nowMs = Date.now();
  if (forget) await forgetQuota(folder);
  const quota = await readQuota(folder);
  if (quota === null) throw unreadable(folder ?? '');
  const today = await openQuota({ folder, run: '', nowMs: () => nowMs, warn: () => undefined }).spentToday();
  const text = json ? JSON.stringify({ ...jsonOf(quota), today: { date: today.date, cost_usd: today.usd } }) : linesOf(quota, today, nowMs).join('\n');
  io().stdout.write(`${text}\n`);
  return 0;
}

function unreadable(folder: string): OperatorError {
  return new OperatorError('quota-unreadable', `what is known of usage limits cannot be read, in ${folder}`, {
    hint: 'Start it anew with: ralph quota --forget',
    exitCode: 4,
  });
}

/** The order of the file is that of the last word. */
function jsonOf({ accounts }: Quota) {
  const windows = Object.entries(accounts).flatMap(([account, all]) => Object.entries(all).map(([window, said]) => ({ account, window, ...said })));
  return { windows };
}

/** A table, in which the soonest reset of an account comes first. */
export function linesOf(quota: Quota, today: { readonly date: string; readonly usd: number }, nowMs: number): readonly string[] {
  const spent = today.usd === 0 ? [] : [`All runs of this machine have cost $${today.usd.toFixed(2)} today.`];
  const { windows } = jsonOf(quota);
  if (windows.length === 0)
    return ['Nothing known yet: no agent has said anything of its usage limits. claude tells them with a subscription, codex when it reaches one.', ...spent];
  const rows = windows
    .toSorted((one, other) => one.account.localeCompare(other.account) || (one.resets_at ?? Infinity) - (other.resets_at ?? Infinity))
    .map((row) => [
      printable(row.account),
      printable(row.window),
      usedText(row, nowMs),
      resetText(row, nowMs),
      `${formatDuration(wholeMinutes(nowMs - row.seen_at))} ago`,
    ]);
  return [...table([['ACCOUNT', 'WINDOW', 'USED', 'RESETS', 'SEEN'], ...rows]), ...spent];
}

const isOver = ({ resets_at }: QuotaWindow, nowMs: number) => resets_at !== null && resets_at <= nowMs;

/** What was used before a reset is no more. */
function usedText(window: QuotaWindow, nowMs: number): string {
  if (isOver(window, nowMs)) return 'free';
  if (window.status === 'rejected') return 'all';
  return window.used === null ? 'unknown' : `${Math.round(window.used * 100)} %`;
}

function resetText(window: QuotaWindow, nowMs: number): string {
  if (window.resets_at === null) return 'unknown';
  return isOver(window, nowMs)
    ? `${formatDuration(wholeMinutes(nowMs - window.resets_at))} ago`
    : `in ${formatDuration(wholeMinutes(window.resets_at - nowMs))}`;
}

const wholeMinutes = (ms: number) => Math.max(0, Math.round(ms / 60_000) * 60_000);

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
