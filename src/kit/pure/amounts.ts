const binaryUnits = ['KiB', 'MiB', 'GiB', 'TiB'] as const;
const factors: ReadonlyMap<string, number> = new Map([
  ...(['b', ''] as const).map((unit) => [unit, 1] as const),
  ...['k', 'm', 'g', 't'].flatMap((unit, index) => [
    [`${unit}b`, 1000 ** (index + 1)] as const,
    [`${unit}ib`, 1024 ** (index + 1)] as const,
    [unit, 1024 ** (index + 1)] as const,
  ]),
]);

/** Bytes of `4GiB`, `64MB` (decimal), `512K` (binary, as tools with such letters mean it) or a bare number; `off` means 0. Null for anything else. */
export function parseBytes(value: string | number): number | null {
  if (typeof value === 'number') return wholeBytes(value);
  const text = value.trim().toLowerCase();
  if (text === 'off') return 0;
  const found = /^(\d{1,15}(?:\.\d{1,9})?) ?([a-z]{0,3})$/.exec(text);
  const factor = factors.get(found?.[2] ?? '?');
  return found === null || factor === undefined ? null : wholeBytes(Math.round(Number(found[1]) * factor));
}

/** 512 B, 1.5 KiB, 4 GiB: the largest unit that fits, with one decimal if needed. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 'B';
  for (const larger of binaryUnits) {
    if (tenths(amount) < 1024) break;
    [amount, unit] = [amount / 1024, larger];
  }
  return `${tenths(amount)} ${unit}`;
}

const tenths = (amount: number) => Math.round(amount * 10) / 10;

const wholeBytes = (bytes: number) => (bytes >= 0 && Number.isSafeInteger(bytes) ? bytes : null);

/** 999, 1K, 25K, 1.2M. */
export function formatTokenCount(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 1_000_000) return `${toFixedHalfEven(tokens / 1000, 0)}K`;
  return `${toFixedHalfEven(tokens / 1_000_000, 1)}M`;
}

/** Rounds like Go and C: a number exactly half-way goes to the even neighbour, whereas `toFixed` rounds away from zero. */
export function toFixedHalfEven(value: number, places: number): string {
  // Only multiples of 1/2^(places+1) can lie exactly half-way; for those the product below is exact.
  if (!Number.isInteger(value * 2 ** (places + 1))) return value.toFixed(places);
  const scaled = value * 10 ** places;
  const below = Math.floor(scaled);
  if (scaled - below !== 0.5) return value.toFixed(places);
  const even = below % 2 === 0 ? below : below + 1;
  return (even / 10 ** places).toFixed(places);
}

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

const part = (unit: string) => String.raw`(?:(\d{1,15}(?:\.\d{1,9})?)\s?${unit})?`;
const parts = new RegExp(`^${['d', 'h', 'm', 's', 'ms'].map(part).join(String.raw`\s?`)}$`, 'i');

/** Milliseconds of `20m`, `1h30m`, `1.5h`, `500ms`; a bare number means seconds; `off` means 0. Null for anything else. */
export function parseDuration(value: string | number): number | null {
  if (typeof value === 'number') return wholeMs(value * unitMs.s);
  const text = value.trim();
  if (text.toLowerCase() === 'off') return 0;
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(text)) return wholeMs(Number(text) * unitMs.s);
  const found = text === '' ? null : parts.exec(text);
  if (found === null) return null;
  const [, d = 0, h = 0, m = 0, s = 0, ms = 0] = found;
  return wholeMs(Number(d) * unitMs.d + Number(h) * unitMs.h + Number(m) * unitMs.m + Number(s) * unitMs.s + Number(ms));
}

/** 59s, 1m, 1m1s, 2h5m: the units that are not zero, whole seconds only; less than a second in milliseconds. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < unitMs.s) return `${Math.max(1, Math.floor(ms))}ms`;
  const seconds = Math.floor(Math.max(0, ms) / unitMs.s);
  const amounts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  return amounts.map(([amount, unit]) => (amount === 0 ? '' : `${amount}${unit}`)).join('') || '0s';
}

function wholeMs(ms: number): number | null {
  const whole = Math.round(ms);
  return whole >= 0 && Number.isSafeInteger(whole) ? whole : null;
}

/** US dollars as people read them: `$0.25`, and `<$0.01` for what rounding would make nothing. */
export function costText(usd: number): string {
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** `1 story`, `2 stories`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
