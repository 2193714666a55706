import { stripVTControlCharacters } from 'node:util';
import { addEvent, startSummary } from '../../../agents/attempt/attempt-summary.ts';
import { TAIL_CHARS } from '../root-prompt-history.ts';
import type { PreviousLife } from '../root-prompt-request.ts';
import type { AgentEvent } from '../../../journal/words/agent-event.ts';
import type { RunAgent } from '../../../journal/effects/effect.ts';
import { attemptFolder, attemptMarker } from '../../../engine/attempt-place.ts';
import type { AgentRequest } from '../../../engine/ports/agent.ts';
import type { Ports } from '../../../engine/ports/ports.ts';

type Life = NonNullable<RunAgent['previous_life']>;
type Known = Pick<Ports, 'agent' | 'place'>;

/** Twice as many code units as code points that are told: no pair is missed. */
const KEPT_CHARS = 2 * TAIL_CHARS;

/** What a life said last, from its spool. Memory is bounded, whatever it printed. */
export async function previousLife(life: Life, { agent, place }: Known): Promise<PreviousLife> {
  const request = requestFor(life, place);
  const between = agent.speaks(request.output) === 'lines' ? '\n' : '\n\n';
  let summary = startSummary();
  let tail = '';
  const hear = (event: AgentEvent) => {
    summary = addEvent(summary, event);
    if (event.type !== 'message' || event.subagent !== undefined) return;
    tail += `${event.text.slice(-KEPT_CHARS)}${between}`;
    if (tail.length > 4 * KEPT_CHARS) tail = tail.slice(-KEPT_CHARS);
  };
  // A spool that somebody has spoilt costs the next life its memory, not the run.
  await agent.replay(request, hear).catch(() => null);
  const { error, terminal } = summary;
  return { tail: stripVTControlCharacters(tail), ended: error?.message ?? (terminal && howTheTurnEnded(terminal)) };
}

function howTheTurnEnded({ ok, reason }: { readonly ok: boolean; readonly reason: string }): string {
  return ok ? 'it ended its turn by itself' : `its turn ended with "${reason}"`;
}

/** Only where it lies and how it speaks is read: nothing is run. */
function requestFor(life: Life, place: Ports['place']): AgentRequest {
  return {
    prompt: '',
    output: 'events',
    marker: attemptMarker(place, life),
    cwd: place.workspace,
    folder: attemptFolder(place, { ...life, role: 'work' }),
    idleMs: 0,
    deadlineMs: 0,
    maxOutputBytes: 0,
    lingerMs: 0,
    budgetUsd: null,
  };
}
