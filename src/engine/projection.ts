import type { RunState } from '../core/state.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { JournalEvent } from '../model/events/journal-event.ts';

/** A view that follows the run: console, run.json, reports. No rule and no prompt reads it, and it never throws into the loop. */
export interface Projection {
  onEvent(event: JournalEvent, state: RunState): void;
  onAgentEvent?(attempt: string, event: AgentEvent): void;
  /** Resolves when all it had to write is written. */
  close?(): Promise<void>;
}
