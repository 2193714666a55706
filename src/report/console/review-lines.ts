import type { RunAgent } from '../../journal/effects/effect.ts';
import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { GatesJudged } from '../../journal/events/gates.ts';
import type { ReviewProgress } from '../../journal/state/iteration-progress.ts';
import { attemptLines, whyText } from './attempt-lines.ts';
import { type Change, effectBefore, openIn } from './change.ts';
import { shorten } from './excerpt.ts';
import { capital, gateWords } from './gate-words.ts';
import { blank, type Line, prose, span, type Tone } from './line.ts';
import type { Look } from './look.ts';

/** The strings of the original of seed 001, which grew review cycles later. */
export function reviewBegunLines({ about, iteration }: RunAgent, { before }: Change): readonly Line[] {
  const review = openIn(before, iteration)?.review;
  const cycle = review?.begun ? [] : [prose(span('--- Starting review cycle ---', 'accent'))];
  // After red guardrails it was announced with them that it is asked again.
  if (review && review.retries > 0 && review.last === null) return [blank];
  return [blank, ...cycle, said(about, review && review.last !== null ? 'Starting again' : 'Starting', 'accent')];
}

/** An agent that fails here fails its review only. */
export function reviewEndedLines(body: AttemptEnded, change: Change, look: Look): readonly Line[] {
  if (body.verdict !== 'failed' && body.verdict !== 'fatal') return attemptLines(body, change, look);
  const name = effectBefore(change, body.key, 'run-agent')?.about ?? '';
  return [blank, said(name, `Agent error: ${whyText(body)}`, 'bad')];
}

/** Whether these guardrails ran for a review, and not for the work itself. */
export function isOfReview({ iteration }: GatesJudged, { before }: Change): boolean {
  return before.run?.settings.reviews != null && openIn(before, iteration)?.review.last != null;
}

/** What its guardrails mean for a review: it is over, or it is asked again. Cut off, they mean nothing. */
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

/** Only a review whose agent ended well is complete, and only guardrails that exist can pass. */
function passedLines(name: string, { last }: ReviewProgress, gates: string | null): readonly Line[] {
  return [...(gates === null ? [] : [said(name, `${gates} passed`, 'good')]), ...(last === 'ok' ? [said(name, 'Complete', 'good')] : [])];
}

function said(name: string, what: string, tone: Tone): Line {
  return prose(span(`[Review: ${shorten(name, 60)}] ${what}`, tone));
}
