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
