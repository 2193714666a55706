import type { Effect } from '../journal/effects/effect.ts';
import type { EventBody, Fact, JournalEvent } from '../journal/events/journal-event.ts';
import type { Progress } from '../journal/progress.ts';
import type { RunState } from '../journal/state/state.ts';
import type { AgentEvent } from '../journal/words/agent-event.ts';
import type { Scope } from '../kit/async/scope.ts';
import type { Ports } from './ports/ports.ts';

/** Journals something before the effect has ended: a pid, a limit seen. Resolves when it is written. */
export type Report = (event: EventBody) => Promise<void>;

/** One kind of effect: how to perform it, and how to find out after a crash whether it happened. `P`: the ports of the recipe that asks for it. */
export interface EffectHandler<E extends Effect, P extends Ports = Ports> {
  /** Performs the effect and resolves with its fact. After an abort it still resolves with the fact, once nothing is left running. */
  perform(effect: E, ports: P, report: Report, signal: AbortSignal): Promise<Fact>;
  /** The fact if the effect happened; null if it did not and may be performed again. Processes of the dead loop were ended before this is called. */
  find(effect: E, ports: P): Promise<Fact | null>;
}

/** Finds the handler of an effect. Handlers are loaded on first use. */
export type HandlerOf = <E extends Effect>(effect: E) => Promise<EffectHandler<E>>;

/** Resolves true once the event is in the journal, false if the run ended first. */
export type SendEvent = (event: EventBody) => Promise<boolean>;

/** Observes the outside world during the run and sends events to the loop. A run never waits for a watcher. */
export type Watcher = (tell: SendEvent, state: () => RunState) => AsyncDisposable;

/** Starts the watchers in order. Leaving the scope stops them in reverse order, even if one of them failed to start. */
export function startWatchers(watchers: readonly Watcher[], scope: Scope, tell: SendEvent, state: () => RunState): void {
  for (const watcher of watchers) {
    const started = watcher(tell, state);
    scope.defer(() => started[Symbol.asyncDispose]());
  }
}

/** A view that follows the run: console, run.json, reports. No rule and no prompt reads it, and it never throws into the loop. */
export interface Projection {
  onEvent(event: JournalEvent, state: RunState): void;
  onAgentEvent?(attempt: string, event: AgentEvent): void;
  /** Shows what is under way and not in the journal yet. */
  onProgress?(progress: Progress): void;
  /** Resolves when everything is written. */
  close?(): Promise<void>;
}

/** Guards the run against a faulty projection: after its first error Ralph warns once and shows it nothing more. The run goes on. */
export function guardProjection(projection: Projection, warn: (text: string) => void): Projection {
  let failed = false;
  const fail = (error: unknown) => {
    if (!failed) warn(`a view of the run failed and is switched off: ${error instanceof Error ? error.message : String(error)}`);
    failed = true;
  };
  const show = (call: () => unknown) => {
    if (failed) return;
    try {
      const answer = call();
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
