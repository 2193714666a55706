import type { RunState } from '../journal/state/state.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';
import type { JournalEvent } from '../journal/events/journal-event.ts';
import type { Progress } from '../journal/progress.ts';

/** A view that follows the run: console, run.json, reports. No rule and no prompt reads it, and it never throws into the loop. */
export interface Projection {
  onEvent(event: JournalEvent, state: RunState): void;
  onAgentEvent?(attempt: string, event: AgentEvent): void;
  /** What is under way and not in the journal yet. */
  onProgress?(progress: Progress): void;
  /** Resolves when all it had to write is written. */
  close?(): Promise<void>;
}

/** Holds a projection to its word: the first time it throws or rejects it is told, and nothing is shown to it any more. The run goes on. */
export function fenced(projection: Projection, warn: (text: string) => void): Projection {
  let failed = false;
  const fail = (error: unknown) => {
    if (!failed) warn(`a view of the run failed and is left out from here on: ${error instanceof Error ? error.message : String(error)}`);
    failed = true;
  };
  const show = (work: () => unknown) => {
    if (failed) return;
    try {
      const answer = work();
      if (answer instanceof Promise) answer.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  return {
    onEvent: (event, state) => show(() => projection.onEvent(event, state)),
    onAgentEvent: (attempt, event) => show(() => projection.onAgentEvent?.(attempt, event)),
    onProgress: (progress) => show(() => projection.onProgress?.(progress)),
    async close() {
      await Promise.resolve()
        .then(() => projection.close?.())
        .catch(fail);
    },
  };
}
