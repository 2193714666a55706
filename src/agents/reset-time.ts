import type { ParserClock } from './agent-definition.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A local time that has just passed is a reset that has happened, not tomorrow's. */
const JUST_PASSED_MS = 10 * MINUTE_MS;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `4:41am (UTC)`, `3pm`, `Nov 18, 2:41am (UTC)`, `Nov 18th, 2026 4:55 AM`. */
const wallTime = /^(?:([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?,? (?:at )?)?(\d{1,2})(?::(\d{2}))?\s?([ap])m(?: \(([\w+/-]{1,40})\))?/i;

interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/**
 * The instant of a limit message's local time, in the zone it names or else in the clock's; null if there is none. The messages cut off the seconds (recorded:
 * 4:41:58 is "4:41am"), so the answer is the end of that minute.
 */
export function resetTimeIn(text: string, clock: ParserClock): number | null {
  const found = wallTime.exec(text);
  if (found === null) return null;
  const [, monthName, day, year, hour, minute, half, zone] = found;
  const timeZone = knownZone(zone) ?? knownZone(clock.timeZone) ?? 'UTC';
  const nowMs = clock.nowMs();
  const today = wallTimeAt(nowMs, timeZone);
  const time = { hour: (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0), minute: Number(minute ?? 0) };
  if (monthName === undefined) {
    const endMs = endOfMinute({ ...today, ...time }, timeZone);
    return endMs < nowMs - JUST_PASSED_MS ? endOfMinute({ ...today, ...time, day: today.day + 1 }, timeZone) : endMs;
  }
  const month = months.indexOf(monthName.toLowerCase());
  if (month < 0) return null;
  const date = { year: Number(year ?? today.year), month, day: Number(day), ...time };
  const endMs = endOfMinute(date, timeZone);
  return year === undefined && endMs < nowMs - DAY_MS ? endOfMinute({ ...date, year: date.year + 1 }, timeZone) : endMs;
}

/** The time zone of a process with this environment: TZ if it is known here, else the machine's. */
export function timeZoneOf(env: Readonly<Record<string, string>>): string {
  return knownZone(env['TZ']) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function endOfMinute(wall: WallTime, timeZone: string): number {
  const asUtcMs = Date.UTC(wall.year, wall.month, wall.day, wall.hour, wall.minute);
  const guessMs = asUtcMs - offsetAt(asUtcMs, timeZone);
  return asUtcMs - offsetAt(guessMs, timeZone) + MINUTE_MS;
}

function offsetAt(ms: number, timeZone: string): number {
  const wall = wallTimeAt(ms, timeZone);
  return Date.UTC(wall.year, wall.month, wall.day, wall.hour, wall.minute) - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

function wallTimeAt(ms: number, timeZone: string): WallTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = new Map(format.formatToParts(ms).map((part) => [part.type, Number(part.value)]));
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return { year: read('year'), month: read('month') - 1, day: read('day'), hour: read('hour'), minute: read('minute') };
}

function knownZone(name: string | undefined): string | null {
  if (name === undefined || name === '') return null;
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
