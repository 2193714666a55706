import { io } from '../../process/io.ts';

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Name = keyof typeof EXIT_CODES;
const NAMES = Object.keys(EXIT_CODES) as readonly Name[];

/** While this is open, signals that would end the process abort `signal` instead, so that work can clean up first. */
export interface Signalled extends Disposable {
  readonly signal: AbortSignal;
  /** The usual exit code for the signal that arrived; 0 if none did. */
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
