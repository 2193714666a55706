import type { RunAgent } from '../../journal/effects/effect.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { GatesJudged } from '../../journal/events/gates.ts';
import type { ReviewProgress } from '../../journal/state/iteration.ts';
import type { RunState } from '../../journal/state/state.ts';
import { costText, formatDuration } from '../../kit/pure/amounts.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { takesOver } from '../../limits/agents.ts';
import { dayIsSpent } from '../../limits/money.ts';
import { isBudget, limitName } from '../../limits/retry-policy.ts';
import { limitWaitIsTooLong } from '../../limits/time.ts';
import { isAcceptable } from '../../proof/judge/acceptance.ts';
import { causeSpans } from './cause-lines.ts';
import { capital, gateWords } from './gates/gate-lines.ts';
import { blank, type Line, prose, span, type Tone } from './line.ts';
import { type Change, type DisplaySettings, effectBefore, openIn, shorten } from './look.ts';
import { tokensText } from './spent-text.ts';

const WHY_CHARS = 300;

/** How an agent process ended, and what that means for its iteration. */
export function attemptLines(body: AttemptEnded, change: Change, look: DisplaySettings): readonly Line[] {
  const { glyphs } = look;
  switch (body.verdict) {
    case 'ok':
      return [blank, prose(span(`${glyphs.good}Complete`, 'good'), span(` (${figures(body)})`, 'dim'))];
    case 'failed':
      return [blank, prose(span(`${glyphs.bad}Failed: ${whyText(body)}`, 'bad'), ...causeSpans(body), span(` (${figures(body)})`, 'dim'))];
    case 'fatal':
      return [blank, prose(span(`${glyphs.bad}${whyText(body)}`, 'bad'), ...causeSpans(body)), ...takeOverLines(body, change)];
    case 'limited':
      return limitLines(body, change, look);
    case 'empty':
      return [blank, prose(span(`${emptyText(body)} ${tryAgain(body, change.state)}`, 'busy'))];
    case 'lost':
      return [prose(span(`The agent was cut off when the loop died. ${tryAgain(body, change.state)}`, 'busy'))];
    default:
      return assertNever(body.verdict);
  }
}

export function whyText({ why }: AttemptEnded): string {
  return shorten(why, WHY_CHARS);
}

/** Why an answer counts as empty, as a sentence. */
export function emptyText(body: AttemptEnded): string {
  const why = whyText(body) || 'the agent ended without any output';
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}

/** Who goes on instead of an agent that cannot work. */
function takeOverLines(body: AttemptEnded, { state, atMs }: Change): readonly Line[] {
  const next = takesOver(body, state, atMs);
  return next === null ? [] : [prose(span(`${shorten(next, 40)} goes on instead of ${shorten(body.agent ?? '', 40)}. Not counted as an iteration.`, 'busy'))];
}

/** How long Ralph waits, or who goes on, and that it costs no iteration. Without a message for its commit, a run that is done ends at once. */
export function limitLines(body: AttemptEnded, change: Change, { clock }: DisplaySettings): readonly Line[] {
  const { limit_window, limit_known } = body;
  const { state, atMs } = change;
  const known = limit_known && !isBudget(limit_window) ? ', known from an earlier attempt on this machine' : '';
  const name = `${limitName(limit_window === null ? null : shorten(limit_window, 40))}${known}`;
  const over = takeOverLines(body, change);
  if (over.length > 0) return [blank, prose(span(`${name}.`, 'busy')), ...over];
  const view = state.run && { state, settings: state.run.settings, nowMs: atMs };
  const open = openIn(state, body.iteration);
  const isLast = body.role === 'message' && view !== null && open !== undefined && isAcceptable(open, view);
  const waits = view && !isLast && !state.leaving && !limitWaitIsTooLong(view) && !dayIsSpent(view) && state.fleet === undefined;
  const { untilMs } = state.limit;
  const until = `waiting until ${clock(untilMs)} (${formatDuration(untilMs - atMs)}). Not counted as an iteration.`;
  return [blank, prose(span(`${name}: ${waits ? until : 'not waited for.'}`, 'busy'))];
}

/** `cost: $5.76, tokens: 1.2M in (850K cached) / 45K out, tools: 58, errors: 4, time: 6m7s` (seed 001). Unmeasured figures are left out. */
function figures({ spent, tools, tool_errors, duration_ms }: AttemptEnded): string {
  const tokens = spent ? tokensText({ input: spent.input, cacheRead: spent.cache_read, cacheWrite: spent.cache_write, output: spent.output }) : '';
  return [
    ...(spent?.cost_usd ? [`cost: ${costText(spent.cost_usd)}${spent.estimated ? ' (estimated)' : ''}`] : []),
    ...(tokens === '' ? [] : [`tokens: ${tokens}`]),
    `tools: ${tools}`,
    `errors: ${tool_errors}`,
    `time: ${formatDuration(duration_ms)}`,
  ].join(', ');
}

function tryAgain(body: AttemptEnded, state: RunState): string {
  const again = retryNumber(body, state);
  return again === null ? 'No further attempt.' : `Trying again (${again} of ${state.run?.settings.limits.repeats ?? 0}). Not counted as an iteration.`;
}

/** The number of the retry that follows an empty or lost attempt; null when there is none. The reviewer of a story counts like any other agent. */
export function retryNumber({ iteration, role }: AttemptEnded, state: RunState): number | null {
  const repeats = state.run?.settings.limits.repeats ?? 0;
  const open = openIn(state, iteration);
  const repeated = (role === 'review' && open?.turn === null ? open.review.repeated : open?.repeated) ?? repeats;
  return repeated >= repeats || state.leaving ? null : repeated + 1;
}

/** The texts of the original program of seed 001, which got review cycles later. */
export function reviewBegunLines({ about, iteration }: RunAgent, { before }: Change): readonly Line[] {
  const review = openIn(before, iteration)?.review;
  const cycle = review?.begun ? [] : [prose(span('--- Starting review cycle ---', 'accent'))];
  // After red guardrails, the retry was already announced with them.
  if (review && review.retries > 0 && review.last === null) return [blank];
  return [blank, ...cycle, said(about, review && review.last !== null ? 'Starting again' : 'Starting', 'accent')];
}

/** An agent that fails here fails only its review. */
export function reviewEndedLines(body: AttemptEnded, change: Change, look: DisplaySettings): readonly Line[] {
  if (body.verdict !== 'failed' && body.verdict !== 'fatal') return attemptLines(body, change, look);
  const name = effectBefore(change, body.key, 'run-agent')?.about ?? '';
  return [blank, said(name, `Agent error: ${whyText(body)}`, 'bad')];
}

/** True when these guardrails ran for a review, not for the work itself. */
export function isOfReview({ iteration }: GatesJudged, { before }: Change): boolean {
  return before.run?.settings.reviews != null && openIn(before, iteration)?.review.last != null;
}

/** After its guardrails a review is over, or it is retried. Guardrails that were cut off decide nothing. */
export function reviewJudgedLines(body: GatesJudged, change: Change): readonly Line[] {
  const [was, now] = [openIn(change.before, body.iteration)?.review, openIn(change.state, body.iteration)?.review];
  const spec = change.state.run?.settings.reviews;
  if (!was || !now || !spec || now === was) return [];
  const name = spec.prompts[was.next]?.name ?? '';
  const words = gateWords(change.state.run);
  const [gate, gates] = [capital(words.one), capital(words.many)];
  const isRed = body.results.some((result) => !result.green);
  if (isRed && now.next === was.next) return [said(name, `${gates} failed, asking again (${now.retries} of ${spec.retryLimit})`, 'busy')];
  const over = isRed
    ? [said(name, `${gate} retry limit (${spec.retryLimit}) reached, moving to next review`, 'bad')]
    : passedLines(name, was, body.results.length === 0 ? null : gates);
  return now.next < spec.prompts.length ? over : [...over, prose(span('--- Review cycle complete ---', 'accent'))];
}

/** A review is complete only if its agent succeeded, and guardrails pass only if there are any. */
function passedLines(name: string, { last }: ReviewProgress, gates: string | null): readonly Line[] {
  return [...(gates === null ? [] : [said(name, `${gates} passed`, 'good')]), ...(last === 'ok' ? [said(name, 'Complete', 'good')] : [])];
}

function said(name: string, what: string, tone: Tone): Line {
  return prose(span(`[Review: ${shorten(name, 60)}] ${what}`, tone));
}
