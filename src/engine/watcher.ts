import type { RunState } from '../core/state.ts';
import type { EventBody } from '../model/events/journal-event.ts';

type Tell = (event: EventBody) => void;

/** Looks outside while the run runs and tells the loop what changed. It is not work in flight: a run never waits for one. */
export type Watcher = (tell: Tell, state: () => RunState) => AsyncDisposable;

/** Starts them in order; disposing ends them in reverse. */
export function startWatchers(watchers: readonly Watcher[], tell: Tell, state: () => RunState): AsyncDisposable {
  const started = watchers.map((watcher) => watcher(tell, state));
  return {
    async [Symbol.asyncDispose]() {
      for (const one of started.reverse()) await one[Symbol.asyncDispose]();
    },
  };
}
