import { emojiGlyphs, textGlyphs } from '../../core/views/console/glyphs.ts';
import type { ConsoleSpec } from '../../model/run-settings.ts';
import { DEFAULTS } from '../../model/settings-file.ts';
import type { Projection } from '../../wiring/run-options.ts';
import { clockTime } from './clock-time.ts';
import { openSecretHider } from './hide-secrets.ts';
import { openPrinter } from './printer.ts';
import { openRunScreen, type RunScreen } from './run-screen.ts';

export interface ConsoleOptions {
  readonly write: (text: string) => void;
  /** Of the terminal, in columns; 0 when there is none to run over. */
  readonly width: number;
  /** Whether colours can be shown; the run's settings may still say no. */
  readonly colour: boolean;
  /** Nothing but the result. */
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Texts that must never be seen, such as keys from the environment. */
  readonly secrets: readonly string[];
  /** Where the run keeps everything, told at its end; null when that is nobody's business. */
  readonly runFolder: string | null;
  readonly nowMs: () => number;
}

/** The run as a person at a terminal sees it: plain lines that scroll, so that a log file reads the same. How it looks is a setting of the run, known with its first event. */
export function openConsole(options: ConsoleOptions): Projection {
  let opened: RunScreen | null = null;
  function screen(spec: ConsoleSpec = DEFAULTS.console): RunScreen {
    opened ??= openScreenFor(spec, options);
    return opened;
  }
  return {
    onEvent: (event, state) => screen(state.run?.settings.console).onEvent(event, state),
    onAgentEvent: (attempt, event) => screen().onAgentEvent(attempt, event),
    onProgress: (progress) => screen().onProgress(progress),
  };
}

function openScreenFor(spec: ConsoleSpec, { write, width, colour, secrets, nowMs, ...wishes }: ConsoleOptions): RunScreen {
  const print = openPrinter({ write, width, colour: colour && spec.color, timestamps: spec.timestamps, hide: openSecretHider(secrets), nowMs });
  const look = {
    glyphs: spec.emoji ? emojiGlyphs : textGlyphs,
    outputLines: spec.maxOutputLines,
    outputChars: spec.maxOutputChars,
    clock: (atMs: number) => clockTime(atMs, nowMs()),
  };
  return openRunScreen({ ...wishes, look, print, nowMs });
}
