import type { GateResult } from '../../../model/events/gates.ts';
import type { EventBody } from '../../../model/events/journal-event.ts';
import { shorten } from './excerpt.ts';
import { redGatesText } from './gate-lines.ts';
import { type Line, prose, span } from './line.ts';

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

/** The one thing to say when an iteration is over: why a claim that was made does not count. */
export function closingLines(closed: Closed, judged: readonly GateResult[]): readonly Line[] {
  if (closed.result === 'abandoned') return [prose(span(`Iteration ${closed.iteration} was left unfinished.`, 'busy'))];
  if (closed.claim === null || closed.accepted) return [];
  return [prose(span(`Claim "${shorten(closed.claim.text, 40)}" not accepted: ${reason(closed, judged)}.`, 'busy'))];
}

function reason(closed: Closed, judged: readonly GateResult[]): string {
  if (judged.some((result) => !result.green)) return redGatesText(judged);
  if (closed.result === 'failed') return 'the agent did not end well';
  return closed.zero_work ? 'nothing has changed since the start' : 'it was not proven';
}
