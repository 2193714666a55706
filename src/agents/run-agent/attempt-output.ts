import { stripVTControlCharacters } from 'node:util';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import type { Claim } from '../../journal/words/claim.ts';
import { findClaim, findNearClaim, openClaimScanner } from '../../proof/claims/claim-scanner.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { type AttemptSummary, addEvent, startSummary } from '../attempt/attempt-summary.ts';
import { lastWords } from '../attempt/last-words.ts';

/** What is known of one attempt's output: its summary, its text, and whether it claims to be done. Bounded, whatever the agent prints. */
export interface AttemptOutput {
  hear(event: AgentEvent): void;
  readonly summary: AttemptSummary;
  readonly promptChars: number;
  claim(): Claim | null;
  nearClaim(): string | null;
  /** Its answer: the last message of a stream, or the beginning of plain output. */
  answer(): string;
  /** Its last message; for plain output, the end of all of it. */
  lastMessage(): string;
  /** The same for people, in one line. */
  lastWords(): string;
  noteSpawn(): void;
  /** Whether it is a process of its own, which only its stream and its files speak for. */
  wasSpawned(): boolean;
  /** True once the provider has refused the agent's credentials twice: it would go on retrying for minutes. */
  isHopeless(): boolean;
}

interface OutputOptions {
  readonly prompt: string;
  readonly speaks: 'events' | 'lines';
  readonly claims: RunSettings['claims'];
}

const ANSWER_CHARS = 100_000;

export function openAttemptOutput({ prompt, speaks, claims }: OutputOptions): AttemptOutput {
  const scanner = speaks === 'lines' ? openClaimScanner(claims, prompt) : null;
  let summary = startSummary();
  let lines = '';
  let tail = '';
  let hopeless = false;
  let spawned = false;
  return {
    hear(event) {
      summary = addEvent(summary, event);
      if (scanner && event.type === 'message') {
        const line = withoutColour(event.text);
        scanner.line(line);
        if (lines.length < ANSWER_CHARS) lines += `${line}\n`.slice(0, ANSWER_CHARS);
        // Cut rarely, because there may be very many lines.
        tail += `${line}\n`;
        if (tail.length > 2 * ANSWER_CHARS) tail = tail.slice(-ANSWER_CHARS);
      }
      if (event.type === 'retry' && event.kind === 'auth' && event.attempt >= 2 && !hopeless) {
        hopeless = true;
        summary = addEvent(summary, { type: 'error', kind: 'auth', message: 'the provider refuses the credentials' });
      }
    },
    promptChars: prompt.length,
    get summary() {
      return summary;
    },
    claim: () => (scanner ? scanner.claim() : findClaim(summary.text, claims, prompt)),
    nearClaim: () => (scanner ? scanner.nearClaim() : findNearClaim(summary.text, claims, prompt)),
    lastMessage: () => (scanner ? tail : summary.text),
    lastWords: () => lastWords(scanner ? tail : summary.text, speaks),
    answer: () => (scanner ? lines : summary.text),
    isHopeless: () => hopeless,
    noteSpawn() {
      spawned = true;
    },
    wasSpawned: () => spawned,
  };
}

/** A plain command may colour its last line. */
function withoutColour(line: string): string {
  return line.includes('\u001B') ? stripVTControlCharacters(line) : line;
}
