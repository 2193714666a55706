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

/** Words that programs of all kinds have for a usage limit. Only for the one line in which a failed program says why it failed. */
const limitWords = [
  /\b(?:usage|rate|session|weekly|daily|monthly|token|request)[ -]limits?\b.{0,40}\b(?:hit|reached|exceeded)\b/i,
  /\b(?:hit|reached|exceeded) (?:your|the|its) (?:[\w'’-]+ ){0,3}(?:usage|rate|session|weekly|daily|monthly|token|request|spend)[ -]limit\b/i,
  /\brate[ _-]?limit(?:ed\b|_error\b)/i,
  /\btoo many requests\b/i,
  /\bquota (?:was )?(?:exceeded|exhausted)\b|\b(?:exceeded|exhausted) your [\w ]{0,40}quota\b|\bRESOURCE_EXHAUSTED\b/i,
];
const resetWords = /(?:\bresets?(?: at)?|\b(?:try|retry) again at) (.{1,60})$/i;
const waitWords = /\b(?:retry|try again|retry-after:?)(?: after| in)? (\d{1,6}) ?(?:s|sec|seconds?)\b/i;

/** The usage limit that a failed program's own error line is about; null if it is about something else. */
export function limitInComplaint(line: string, clock: ParserClock): Limit | null {
  const told = limitInText(line, clock);
  if (told === null && !limitWords.some((words) => words.test(line))) return null;
  // Codex tells the time in its own words, after those of claude.
  if (told !== null && told.resetsAtMs !== null) return told;
  const seconds = waitWords.exec(line)?.[1];
  const window = told?.window ?? null;
  if (seconds !== undefined) return { resetsAtMs: clock.nowMs() + Number(seconds) * 1000, window };
  const reset = resetWords.exec(line)?.[1];
  return { resetsAtMs: reset === undefined ? null : resetTimeIn(reset, clock), window };
}
