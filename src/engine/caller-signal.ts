import type { Watcher } from './watcher.ts';

/** A library caller's AbortSignal: there is no second one to wait for, so it means at once. */
export function watchCallerSignal(signal: AbortSignal): Watcher {
  return (tell) => {
    const onAbort = () => void tell({ type: 'operator.asked', what: 'abort', by: 'caller' });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return {
      async [Symbol.asyncDispose]() {
        signal.removeEventListener('abort', onAbort);
      },
    };
  };
}
