import { assertNever } from '../../kit/pure/assert-never.ts';
import { formatDuration } from '../../kit/pure/duration.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import { limitOutlasts } from '../../limits/leaving.ts';
import { limitName } from '../../journal/limit-name.ts';
import type { RunState } from '../../journal/state/state.ts';
import { type Change, openIn } from './change.ts';
import { shorten } from './excerpt.ts';
import { blank, type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';
import { costText, tokensText } from './spent-text.ts';

const WHY_CHARS = 300;

/** How one agent process came out, and what that means for its iteration. */
export function attemptLines(body: AttemptEnded, change: Change, look: Look): readonly Line[] {
  const { glyphs } = look;
  switch (body.verdict) {
    case 'ok':
      return [blank, prose(span(`${glyphs.good}Complete`, 'good'), span(` (${figures(body)})`, 'dim'))];
    case 'failed':
      return [blank, prose(span(`${glyphs.bad}Failed: ${whyText(body)}`, 'bad'), span(` (${figures(body)})`, 'dim'))];
    case 'fatal':
      return [blank, prose(span(`${glyphs.bad}${whyText(body)}`, 'bad'))];
    case 'limited':
      return limitLines(body, change, look);
    case 'empty':
      return [blank, prose(span(`The agent ended without a word. ${tryAgain(body, change.state)}`, 'busy'))];
    case 'lost':
      return [prose(span(`The agent was cut off when the loop died. ${tryAgain(body, change.state)}`, 'busy'))];
    default:
      return assertNever(body.verdict);
  }
}

export function whyText({ why }: AttemptEnded): string {
  return shorten(why, WHY_CHARS);
}

/** Until when nobody is asked, and that it costs no iteration. */
export function limitLines({ limit_window }: AttemptEnded, { state, atMs }: Change, { clock }: Look): readonly Line[] {
  const name = limitName(limit_window === null ? null : shorten(limit_window, 40));
  const waits = state.run && !state.leaving && !limitOutlasts({ state, settings: state.run.settings, nowMs: atMs });
  const { untilMs } = state.limit;
  const until = `waiting until ${clock(untilMs)} (${formatDuration(untilMs - atMs)}). Not counted as an iteration.`;
  return [blank, prose(span(`${name}: ${waits ? until : 'not waited for.'}`, 'busy'))];
}

/** `cost: $5.76, tokens: 1.2M in (850K cached) / 45K out, tools: 58, errors: 4, time: 6m7s` (seed 001): what nobody measured is left out. */
function figures({ spent, tools, tool_errors, duration_ms }: AttemptEnded): string {
  const tokens = spent ? tokensText({ input: spent.input, cacheRead: spent.cache_read, cacheWrite: spent.cache_write, output: spent.output }) : '';
  return [
    ...(spent?.cost_usd ? [`cost: ${costText(spent.cost_usd)}`] : []),
    ...(tokens === '' ? [] : [`tokens: ${tokens}`]),
    `tools: ${tools}`,
    `errors: ${tool_errors}`,
    `time: ${formatDuration(duration_ms)}`,
  ].join(', ');
}

function tryAgain(body: AttemptEnded, state: RunState): string {
  const again = againOf(body, state);
  return again === null ? 'No further attempt.' : `Trying again (${again} of ${state.run?.settings.limits.repeats ?? 0}). Not counted as an iteration.`;
}

/** The how manieth try comes after an attempt that came to nothing; null: none does. The reviewer of a story counts like any other agent. */
export function againOf({ iteration, role }: AttemptEnded, state: RunState): number | null {
  const repeats = state.run?.settings.limits.repeats ?? 0;
  const open = openIn(state, iteration);
  const repeated = (role === 'review' && open?.turn === null ? open.review.repeated : open?.repeated) ?? repeats;
  return repeated >= repeats || state.leaving ? null : repeated + 1;
}
