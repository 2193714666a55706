import { type Alarm, openAlarm } from '../process/alarm.ts';
import { io } from '../process/io.ts';
import type { Watcher } from './contracts.ts';

type Name = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
const NAMES: readonly Name[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The first signal asks for a drain. The second, or the end of the grace period, asks for an abort. A grace of 0 ms never ends. */
export function watchOsSignals(graceMs: { readonly sigint: number; readonly sigterm: number }): Watcher {
  return (tell) => {
    const { events } = io();
    let grace: Alarm | null = null;
    const onSignal = (name: Name) => {
      const ask = (what: 'drain' | 'abort') => void tell({ type: 'operator.asked', what, by: name });
      if (grace) return ask('abort');
      ask('drain');
      grace = openAlarm(name === 'SIGINT' ? graceMs.sigint : graceMs.sigterm, () => ask('abort'));
      grace.restart();
    };
    for (const name of NAMES) events.on(name, onSignal);
    return {
      async [Symbol.asyncDispose]() {
        for (const name of NAMES) events.off(name, onSignal);
        grace?.[Symbol.dispose]();
      },
    };
  };
}

/** A library caller's AbortSignal. It fires only once, so it means abort, not drain. */
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
