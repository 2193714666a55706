import type { RunState } from '../journal/state/state.ts';
import type { Scope } from '../kit/async/scope.ts';
import type { EventBody } from '../journal/events/journal-event.ts';

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
