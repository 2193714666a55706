import { stripVTControlCharacters } from 'node:util';
import { type AttemptSummary, addEvent, startSummary } from '../core/attempt-summary.ts';
import { openClaimScanner } from '../core/claims/claim-scanner.ts';
import { findClaim } from '../core/claims/find-claim.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Claim } from '../model/claim.ts';
import type { Ports } from './ports/ports.ts';

/** What was heard of one attempt: its summary, and whether it claims to be done. Bounded, whatever the agent prints. */
export interface Hearing {
  hear(event: AgentEvent): void;
  readonly summary: AttemptSummary;
  claim(): Claim | null;
  /** True once the provider has refused the agent's credentials twice: it would go on asking for minutes. */
  isHopeless(): boolean;
}

export function openHearing(prompt: string, { agent, settings }: Pick<Ports, 'agent' | 'settings'>): Hearing {
  const scanner = agent.speaks === 'lines' ? openClaimScanner(settings.claims, prompt) : null;
  let summary = startSummary();
  let hopeless = false;
  return {
    hear(event) {
      summary = addEvent(summary, event);
      if (scanner && event.type === 'message') scanner.line(withoutColour(event.text));
      if (event.type === 'retry' && event.kind === 'auth' && event.attempt >= 2 && !hopeless) {
        hopeless = true;
        summary = addEvent(summary, { type: 'error', kind: 'auth', message: 'the provider refuses the credentials' });
      }
    },
    get summary() {
      return summary;
    },
    claim: () => (scanner ? scanner.claim() : findClaim(summary.text, settings.claims, prompt)),
    isHopeless: () => hopeless,
  };
}

/** A plain command may colour its last word. */
function withoutColour(line: string): string {
  return line.includes('\u001B') ? stripVTControlCharacters(line) : line;
}
