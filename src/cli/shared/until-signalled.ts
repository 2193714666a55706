import { io } from '../../process/io.ts';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Name = keyof typeof EXIT_CODES;
const NAMES = Object.keys(EXIT_CODES) as readonly Name[];

/** While it is open, the signals that would end us only abort it: whoever works can clean up first. */
export interface Signalled extends Disposable {
  readonly signal: AbortSignal;
  /** Of a process that was ended by the signal that came; 0 while none did. */
  exitCode(): number;
}

export function untilSignalled(): Signalled {
  const { events } = io();
  const control = new AbortController();
  let exitCode = 0;
  const onSignal = (name: Name) => {
    exitCode ||= EXIT_CODES[name];
    control.abort(new Error(name));
  };
  for (const name of NAMES) events.on(name, onSignal);
  return {
    signal: control.signal,
    exitCode: () => exitCode,
    [Symbol.dispose]() {
      for (const name of NAMES) events.off(name, onSignal);
    },
  };
}
