const binaryUnits = ['KiB', 'MiB', 'GiB', 'TiB'] as const;
const factors: ReadonlyMap<string, number> = new Map([
  ...(['b', ''] as const).map((unit) => [unit, 1] as const),
  ...['k', 'm', 'g', 't'].flatMap((unit, index) => [
    [`${unit}b`, 1000 ** (index + 1)] as const,
    [`${unit}ib`, 1024 ** (index + 1)] as const,
    [unit, 1024 ** (index + 1)] as const,
  ]),
]);

/** Bytes of `4GiB`, `64MB` (decimal), `512K` (binary, as tools with such letters mean it) or a bare number; `off` is 0. Null for anything else. */
export function parseBytes(value: string | number): number | null {
  if (typeof value === 'number') return wholeBytes(value);
  const text = value.trim().toLowerCase();
  if (text === 'off') return 0;
  const found = /^(\d{1,15}(?:\.\d{1,9})?) ?([a-z]{0,3})$/.exec(text);
  const factor = factors.get(found?.[2] ?? '?');
  return found === null || factor === undefined ? null : wholeBytes(Math.round(Number(found[1]) * factor));
}

/** 512 B, 1.5 KiB, 4 GiB: the largest unit that fits, one decimal where there is one. */
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
