import type { GatesJudged } from '../../journal/events/gates.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { costText, secondsText } from './progress-text.ts';
import type { ClosedIteration } from '../../journal/state/state.ts';
import type { Change } from './change.ts';
import { shorten } from './excerpt.ts';
import { redGatesText } from './gate-lines.ts';
import { type GateWords, gateWords, isLoop } from './gate-words.ts';
import { type Line, prose, span } from './line.ts';
import type { Look } from './look.ts';

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

/** What is to be said when an iteration is over: how a loop's came out, and why a claim that was made does not count. */
export function closingLines(closed: Closed, judged: GatesJudged | null, change: Change, look: Look): readonly Line[] {
  const { run } = change.state;
  return [...(isLoop(run) ? iterationLines(closed, change, look) : []), ...claimLines(closed, judged, change)];
}

/** `✗ Iteration 1 → failed ($0.0234, 45.2s)` (seed 004). */
function iterationLines({ iteration, result }: Closed, { state }: Change, { glyphs }: Look): readonly Line[] {
  const closed = state.closed.findLast(({ number }) => number === iteration);
  if (!closed || result === 'abandoned') return [];
  const { passed } = closed.entry;
  const text = `${passed ? glyphs.tick : glyphs.cross}Iteration ${iteration} → ${passed ? 'passed' : 'failed'}${closed.claim ? ' [TAG]' : ''}`;
  return [prose(span(text, passed ? 'good' : 'bad'), span(` (${figures(closed)})`, 'dim'))];
}

function figures({ entry: { costUsd, durationMs } }: ClosedIteration): string {
  return `${costUsd === null ? 'cost unknown' : costText(costUsd)}, ${secondsText(durationMs)}`;
}

function claimLines(closed: Closed, judged: GatesJudged | null, { state }: Change): readonly Line[] {
  if (closed.result === 'abandoned') return [prose(span(`Iteration ${closed.iteration} was left unfinished.`, 'busy'))];
  if (closed.accepted) return [];
  if (closed.claim === null) return missingTagLines(closed, state.run?.settings);
  const wasGuarded = state.closed.some(({ number, entry }) => number === closed.iteration && entry.restored.length > 0);
  const why = wasGuarded ? 'protected paths were changed' : reason(closed, judged, gateWords(state.run));
  return [prose(span(`Claim "${shorten(closed.claim.text, 40)}" not accepted: ${why}.`, 'busy'))];
}

/** Green checks without a word cost another iteration: worth a line. */
function missingTagLines({ result }: Closed, settings: NonNullable<Change['state']['run']>['settings'] | undefined): readonly Line[] {
  if (result !== 'green' || !settings?.loop || settings.loop.requireTag === 'never') return [];
  return [prose(span(`The checks are green, but the agent did not say ${settings.claims.map(({ word }) => word).join(' or ')}.`, 'busy'))];
}

function reason(closed: Closed, judged: GatesJudged | null, words: GateWords): string {
  if (judged?.results.some((result) => !result.green)) return `${redGatesText(judged.results, words)}${judged.where === 'clean' ? ' in a fresh checkout' : ''}`;
  if (closed.result === 'failed') return 'the agent did not end well';
  return closed.zero_work ? 'nothing has changed since the start' : 'it was not proven';
}
