import type { EventBody } from '../../journal/events/journal-event.ts';
import type { Projection } from '../../runs/run-options.ts';

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

/** Follows a run and can tell it again in one line per iteration. */
export interface Recap extends Projection {
  lines(): readonly string[];
}

export function openRecap(): Recap {
  const closed: Closed[] = [];
  return {
    onEvent({ body }) {
      if (body.type === 'iteration.closed') closed.push(body);
    },
    lines: () => closed.map(inWords),
  };
}

function inWords({ iteration, claim, result, accepted }: Closed): string {
  const said = claim === null ? 'the agent made no claim' : `the agent said ${claim.text}`;
  const judged = result === 'green' ? 'guardrail green' : 'guardrail red';
  const meaning = accepted ? 'proven' : claim === null ? 'told why' : 'not believed, told why';
  return `  ${iteration}  ${said.padEnd(25)}${judged.padEnd(17)}${meaning}`;
}
