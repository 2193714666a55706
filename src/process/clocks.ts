import { openAlarm } from './alarm.ts';
import type { StopCause } from './process-ending.ts';
import type { ProcessRequest } from './process-request.ts';

/** The three clocks of a process: silence, wall time, and staying on after the last word. */
export interface Clocks extends Disposable {
  /** It printed something, wherever. */
  heard(): void;
  /** It printed on stdout, and has now said its last word or not: staying on is measured from here, or not at all. */
  spoken(settled: boolean): void;
}

type Limits = Pick<ProcessRequest, 'idleMs' | 'deadlineMs' | 'lingerMs'>;

/** They run from now on. */
export function openClocks({ idleMs, deadlineMs, lingerMs }: Limits, stop: (cause: StopCause, detail: string) => void): Clocks {
  const idle = openAlarm(idleMs, () => stop('idle', `no output for ${seconds(idleMs)}`));
  const deadline = openAlarm(deadlineMs, () => stop('deadline', `still running after ${seconds(deadlineMs)}`));
  const linger = openAlarm(lingerMs, () => stop('lingered', `finished, but still there after ${seconds(lingerMs)} of silence`));
  idle.restart();
  deadline.restart();
  return {
    heard() {
      idle.restart();
    },
    spoken(settled) {
      if (settled) linger.restart();
      else linger.cancel();
    },
    [Symbol.dispose]() {
      for (const alarm of [idle, deadline, linger]) alarm[Symbol.dispose]();
    },
  };
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
