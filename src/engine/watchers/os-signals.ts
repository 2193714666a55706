import type { Watcher } from '../watcher.ts';

type Name = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const NAMES: readonly Name[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The first signal asks for a drain; the second, or the end of the grace, for an abort. */
export function watchOsSignals(graceMs: { readonly sigint: number; readonly sigterm: number }): Watcher {
  return (tell) => {
    let grace: NodeJS.Timeout | null = null;
    const onSignal = (name: Name) => {
      if (grace) return tell({ type: 'operator.asked', what: 'abort', by: name });
      tell({ type: 'operator.asked', what: 'drain', by: name });
      grace = setTimeout(() => tell({ type: 'operator.asked', what: 'abort', by: name }), name === 'SIGINT' ? graceMs.sigint : graceMs.sigterm);
    };
    for (const name of NAMES) process.on(name, onSignal);
    return {
      async [Symbol.asyncDispose]() {
        for (const name of NAMES) process.off(name, onSignal);
        if (grace) clearTimeout(grace);
      },
    };
  };
}
