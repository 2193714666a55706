const HALF_A_DAY_MS = 12 * 3_600_000;

/** The operator's own time of day, `04:41:10`; with the date when that is half a day away or more. */
export function clockTime(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
  if (Math.abs(atMs - nowMs) < HALF_A_DAY_MS) return time;
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${time}`;
}

const twoDigits = (part: number) => String(part).padStart(2, '0');
