import type { Effect } from '../journal/effects/effect.ts';
import type { EventBody, Fact, JournalEvent } from '../journal/events/journal-event.ts';
import type { Progress } from '../journal/progress.ts';
import type { RunState } from '../journal/state/state.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';
import type { Scope } from '../kit/async/scope.ts';
import type { Ports } from './ports/ports.ts';

/** Journals something before the effect has ended: a pid, a limit seen. Resolves when it is written. */
export type Report = (event: EventBody) => Promise<void>;

/** One effect's two sides: doing it, and finding out what came of it if we died inside. */
export interface EffectHandler<E extends Effect> {
  /** Does it, and resolves with the fact. After an abort it still resolves with the fact, once nothing is left running. */
  perform(effect: E, ports: Ports, report: Report, signal: AbortSignal): Promise<Fact>;
  /** The fact, if it happened; null if it did not and may be done again. What the dead loop had running was ended before. */
  find(effect: E, ports: Ports): Promise<Fact | null>;
}

/** Who carries an effect out; loaded when it is first asked for. */
export type HandlerOf = <E extends Effect>(effect: E) => Promise<EffectHandler<E>>;

/** True once it is in the journal; false if the run was over before. */
export type Tell = (event: EventBody) => Promise<boolean>;

/** Looks outside while the run runs and tells the loop what changed. It is not work in flight: a run never waits for one. */
export type Watcher = (tell: Tell, state: () => RunState) => AsyncDisposable;

/** Starts them in order; leaving the scope ends them in reverse, also when one of them could not be started. */
export function startWatchers(watchers: readonly Watcher[], scope: Scope, tell: Tell, state: () => RunState): void {
  for (const watcher of watchers) {
    const started = watcher(tell, state);
    scope.defer(() => started[Symbol.asyncDispose]());
  }
}

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
