import type { Failure } from '../../model/effect.ts';
import type { EventBody } from '../../model/events/journal-event.ts';
import type { OpenIteration, RunState } from '../state.ts';

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

const REMEMBERED = 10;

/** Moves an iteration from open to closed, and carries what its gates said to the next prompt. */
export function afterClosing(state: RunState, body: Closed, atMs: number): RunState {
  const iteration = state.open.find((open) => open.number === body.iteration);
  const closed = { number: body.iteration, result: body.result, claim: body.claim, accepted: body.accepted, zeroWork: body.zero_work, atMs };
  return {
    ...state,
    open: state.open.filter((open) => open.number !== body.iteration),
    closed: [...state.closed, closed].slice(-REMEMBERED),
    abandoned: state.abandoned + (body.result === 'abandoned' ? 1 : 0),
    failuresInARow: body.result === 'failed' ? state.failuresInARow + 1 : body.result === 'abandoned' ? state.failuresInARow : 0,
    failures: carriedOver(state, body, iteration),
    reviews: { ...state.reviews, greenSince: greenSince(state, body, iteration) },
  };
}

/** A cycle begins the count again, whatever came of it. */
function greenSince({ reviews }: RunState, { result }: Closed, iteration: OpenIteration | undefined): number {
  if (iteration?.review.begun) return 0;
  return reviews.greenSince + (result === 'green' ? 1 : 0);
}

/** A green iteration clears the failures; one that was never judged leaves them as they were. */
function carriedOver(state: RunState, { claim, accepted }: Closed, iteration: OpenIteration | undefined): readonly Failure[] {
  const judged = iteration?.judged;
  if (!judged) return state.failures;
  if (claim === null || accepted || !judged.green || iteration.last?.verdict !== 'ok') return judged.failures;
  return [{ action: 'APPEND', message: `You said "${claim.text}", but nothing has changed since the start. A claim without any change is not accepted.` }];
}
