import type { ParserClock } from './agent-definition.ts';
import { resetTimeIn } from './reset-time.ts';

export interface Limit {
  readonly resetsAtMs: number | null;
  readonly window: string | null;
}

/** No limit message is longer; a text of 20 MB is not searched. */
const LIMIT_TEXT_CHARS = 500;

const reached = /^You['’](?:ve (?:hit|reached) your (?:([^\n·]*) )?limit|re out of usage credits)(?: · resets (.+))?/;
/** The text of older versions; from memory, never recorded. */
const reachedAtEpoch = /^Claude AI usage limit reached\|(\d{9,12})/;
const reachedWindow = /^(5-hour|weekly|opus weekly) limit reached [·∙] resets (.+)/i;

/** Words of the texts, and the names that `rate_limit_event` has for the same windows. */
const windows: ReadonlyMap<string, string> = new Map([
  ['session', 'five_hour'],
  ['5-hour', 'five_hour'],
  ['weekly', 'seven_day'],
  ['opus', 'seven_day_opus'],
  ['opus weekly', 'seven_day_opus'],
  ['sonnet', 'seven_day_sonnet'],
]);

/**
 * The usage limit that a failed turn's own text announces; null if there is none. Only for texts that the CLI itself wrote (a synthetic message, the result of
 * a failed turn), because models and tools often quote such lines.
 */
export function limitInText(text: string, clock: ParserClock): Limit | null {
  const head = text.slice(0, LIMIT_TEXT_CHARS);
  const epoch = reachedAtEpoch.exec(head)?.[1];
  if (epoch !== undefined) return { resetsAtMs: Number(epoch) * 1000, window: null };
  const found = reached.exec(head) ?? reachedWindow.exec(head);
  if (found === null) return null;
  const [, window, reset] = found;
  return {
    resetsAtMs: reset === undefined ? null : resetTimeIn(reset, clock),
    window: windows.get(window?.toLowerCase() ?? '') ?? null,
  };
}
