import * as z from '../kit/pure/shape.ts';

const Window = z.strictObject({
  status: z.enum(['allowed', 'warning', 'rejected']),
  /** The used share, 1 for all of it; null: nobody said. */
  used: z.number().nullable(),
  /** Epoch ms; null: nobody said. */
  resets_at: z.number().nullable(),
  seen_at: z.number(),
  /** The used share as it grew in this window, oldest first. Absent: it was told once, or never. */
  burn: z.array(z.strictObject({ at: z.number(), used: z.number() })).optional(),
});
export type QuotaWindow = Readonly<z.infer<typeof Window>>;

/** What the windows of each account last said, by the name of the account and of the window. */
const Quota = z.strictObject({ accounts: z.record(z.string(), z.record(z.string(), Window)) });
export type Quota = Readonly<z.infer<typeof Quota>>;

export const noQuota: Quota = { accounts: {} };

/** Null if it is not what Ralph writes. */
export function quotaIn(value: unknown): Quota | null {
  return Quota.safeParse(value).data ?? null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** No provider has a longer window. A later reset comes from a wrong clock or from garbage. */
const LONGEST_WINDOW_MS = 32 * DAY_MS;
/** Clocks of one machine differ by less, unless somebody has set them. */
const SKEW_MS = 5 * MINUTE_MS;
const MOST_ACCOUNTS = 50;
const MOST_WINDOWS = 20;
const NAME_CHARS = 60;

interface Sign {
  readonly window: string;
  readonly status: QuotaWindow['status'];
  readonly used: number | null;
  readonly resetsAtMs: number | null;
}

interface Heard {
  readonly signs: readonly Sign[];
  /** The provider has answered: earlier limits of the account are over. */
  readonly hasWorked: boolean;
  readonly model: string | null;
}

/** The quota after what one attempt heard. The same object: it told nothing new. */
export function withHeard(quota: Quota, account: string, { signs, hasWorked, model }: Heard, nowMs: number): Quota {
  const before = quota.accounts[account] ?? {};
  const open = hasWorked ? Object.entries(before).filter(([name, { status }]) => status !== 'rejected' || !concerns(name, model)) : Object.entries(before);
  const heard = signs.map((sign): [string, QuotaWindow] => [sign.window.slice(0, NAME_CHARS), windowOf(sign, before[sign.window.slice(0, NAME_CHARS)], nowMs)]);
  const windows = Object.fromEntries([...open, ...heard].slice(-MOST_WINDOWS));
  if (heard.length === 0 && open.length === Object.keys(before).length) return quota;
  const others = Object.entries(quota.accounts).filter(([name]) => name !== account);
  const known = [...others, [account, windows] as const].map(([name, all]) => [name, current(all, nowMs)] as const);
  return { accounts: Object.fromEntries(known.filter(([, all]) => Object.keys(all).length > 0).slice(-MOST_ACCOUNTS)) };
}

function windowOf({ status, used: told, resetsAtMs }: Sign, before: QuotaWindow | undefined, nowMs: number): QuotaWindow {
  const isTold = told !== null && Number.isFinite(told) && told >= 0;
  const used = isTold ? told : status === 'rejected' ? 1 : null;
  const burn = used === null ? (before?.burn ?? []) : [...burnBefore(before, used), { at: nowMs, used }].slice(-MOST_SAMPLES);
  return { status, used, resets_at: resetsAtMs, seen_at: nowMs, ...(burn.length > 0 && { burn }) };
}

const MOST_SAMPLES = 48;

/** A share that has fallen belongs to the next window. A share that stays the same is one sample, with its last time. */
function burnBefore(before: QuotaWindow | undefined, used: number): NonNullable<QuotaWindow['burn']> {
  const burn = before?.burn ?? [];
  const last = burn.at(-1);
  if (last === undefined || used < last.used) return [];
  return used === last.used && burn.at(-2)?.used === used ? burn.slice(0, -1) : burn;
}

/** A pace needs some time. */
const LEAST_PACE_MS = 10 * MINUTE_MS;
/** What was used long ago says little about now. */
const PACE_MS = 90 * MINUTE_MS;

/** When a window is used up at the pace of the last time; null: not before it is reset, or nobody can tell. */
export function fitsUntil({ used, resets_at, status, burn = [] }: QuotaWindow, nowMs: number): number | null {
  const recent = burn.filter(({ at }) => at >= nowMs - PACE_MS);
  const [first, last] = [recent[0], recent.at(-1)];
  if (used === null || status === 'rejected' || first === undefined || last === undefined) return null;
  if (last.at - first.at < LEAST_PACE_MS || last.used <= first.used) return null;
  const until = last.at + ((1 - used) * (last.at - first.at)) / (last.used - first.used);
  return resets_at !== null && until >= resets_at ? null : Math.max(nowMs, until);
}

/** A window that was reset a day ago tells nothing any more. */
function current(windows: Quota['accounts'][string], nowMs: number): Record<string, QuotaWindow> {
  return Object.fromEntries(
    Object.entries(windows).filter(([, { resets_at, seen_at }]) => nowMs < (resets_at ?? seen_at) + DAY_MS && seen_at < nowMs + LONGEST_WINDOW_MS),
  );
}

/** The last of the limits that keep the account from working with this model; null: none is known. What a clock ahead of ours has written does not count. */
export function limitIn(quota: Quota, account: string, model: string | null, nowMs: number): { window: string; untilMs: number; seenAtMs: number } | null {
  const limits = Object.entries(quota.accounts[account] ?? {}).flatMap(([window, { status, resets_at, seen_at }]) =>
    status === 'rejected' && resets_at !== null && resets_at > nowMs && isBelievable(resets_at, seen_at, nowMs) && concerns(window, model)
      ? [{ window, untilMs: resets_at, seenAtMs: seen_at }]
      : [],
  );
  return limits.toSorted((one, other) => other.untilMs - one.untilMs)[0] ?? null;
}

function isBelievable(resetsAtMs: number, seenAtMs: number, nowMs: number): boolean {
  return seenAtMs <= nowMs + SKEW_MS && resetsAtMs - seenAtMs <= LONGEST_WINDOW_MS;
}

const FAMILIES = ['opus', 'sonnet', 'haiku'];

/** A window of one family of models keeps no other model from working. */
function concerns(window: string, model: string | null): boolean {
  const family = FAMILIES.find((name) => window.includes(name));
  return family === undefined || model === null || model.toLowerCase().includes(family);
}
