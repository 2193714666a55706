import type { Projection } from '../../engine/contracts.ts';
import { openSecretHider } from '../../kit/pure/hide-secrets.ts';
import type { ConsoleSpec } from '../../settings/schema/run-settings.ts';
import { DEFAULTS } from '../../settings/schema/settings-defaults.ts';
import { emojiGlyphs, type Line, span, textGlyphs } from '../console/line.ts';
import type { RecipeScreen } from '../console/recipe-screen.ts';
import { openStatusFeed, type StatusFeed } from '../console/status-feed.ts';
import { clockTime, type PaintOptions, paint } from './paint.ts';
import { openRunScreen, type RunScreen } from './run-screen.ts';
import { openStatusLine, type StatusLine } from './status-line.ts';

export interface ConsoleOptions {
  readonly write: (text: string) => void;
  /** Columns of the terminal; 0 without an edge. */
  readonly width: number;
  /** Whether the terminal can show colours; the run's settings may still turn them off. */
  readonly colour: boolean;
  /** Print only the result. */
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Texts that must never be printed, such as keys from the environment. */
  readonly secrets: readonly string[];
  /** The run's folder, named at the end; null to leave it out. */
  readonly runFolder: string | null;
  readonly nowMs: () => number;
  /** The screen of the run's recipe. */
  readonly screen: RecipeScreen;
  /** For a terminal whose last line can be rewritten; absent: plain lines only. */
  readonly status?: TerminalStatus;
}

export interface TerminalStatus {
  /** Asked each time, because the terminal may be resized. */
  readonly columns: () => number;
  readonly isReady: () => boolean;
}

/** The open screen, and what remains to be done at its end. */
interface OpenScreen extends RunScreen {
  readonly close: () => void;
}

/** Shows the run to a person at a terminal: plain lines that scroll, so that a log file reads the same. The look is a setting of the run, known with its first event. */
export function openConsole(options: ConsoleOptions): Projection {
  let opened: OpenScreen | null = null;
  function screen(spec: ConsoleSpec = DEFAULTS.console): OpenScreen {
    opened ??= openScreenFor(spec, options);
    return opened;
  }
  return {
    onEvent: (event, state) => screen(state.run?.settings.console).onEvent(event, state),
    onAgentEvent: (attempt, event) => screen().onAgentEvent(attempt, event),
    onProgress: (progress) => screen().onProgress(progress),
    close: async () => opened?.close(),
  };
}

function openScreenFor(spec: ConsoleSpec, { write, width, colour, secrets, nowMs, status, ...wishes }: ConsoleOptions): OpenScreen {
  const paper = { colour: colour && spec.color, hide: openSecretHider(secrets) };
  const look = {
    glyphs: spec.emoji ? emojiGlyphs : textGlyphs,
    outputLines: spec.maxOutputLines,
    outputChars: spec.maxOutputChars,
    clock: (atMs: number) => clockTime(atMs, nowMs()),
  };
  const printing = { ...paper, width, timestamps: spec.timestamps, nowMs };
  if (!status || wishes.quiet) return { ...openRunScreen({ ...wishes, look, print: openPrinter({ ...printing, write }), nowMs }), close: () => undefined };
  const feed = openStatusFeed(wishes.screen.status);
  const last = openStatusLine({ write, isReady: status.isReady, text: () => statusText(feed.line(nowMs()), { ...paper, width: status.columns() - 1 }) });
  return withStatus(openRunScreen({ ...wishes, look, print: openPrinter({ ...printing, write: last.write }), nowMs }), feed, last, nowMs);
}

/** The status sees every event first, so that no line is followed by an outdated status. */
function withStatus(screen: RunScreen, feed: StatusFeed, last: StatusLine, nowMs: () => number): OpenScreen {
  return {
    onEvent(event, state) {
      feed.hear(event, state);
      screen.onEvent(event, state);
      last.refresh();
    },
    onAgentEvent: screen.onAgentEvent,
    onProgress(progress) {
      feed.hearProgress(progress, nowMs());
      screen.onProgress(progress);
      last.refresh();
    },
    close: last.close,
  };
}

/** Empty when not even a dot would fit. */
function statusText(status: Line | null, paper: PaintOptions): string {
  return status === null || paper.width < 1 ? '' : paint(status, paper);
}

export interface PrinterOptions extends PaintOptions {
  readonly write: (text: string) => void;
  /** Whether to put the time of day before every line. */
  readonly timestamps: boolean;
  readonly nowMs: () => number;
}

/** Writes all lines of an event at once, so that no other process can write between them. Never prints two blank lines in a row. */
function openPrinter({ write, timestamps, nowMs, ...paper }: PrinterOptions): (lines: readonly Line[]) => void {
  let afterBlank = true;
  const stamped = (each: Line): Line => {
    if (!timestamps || isBlank(each)) return each;
    const now = nowMs();
    const stamp = `[${clockTime(now, now)}] `;
    return { ...each, ...(each.hang === undefined ? {} : { hang: each.hang + stamp.length }), spans: [span(stamp, 'dim'), ...each.spans] };
  };
  return (lines) => {
    const texts: string[] = [];
    for (const each of lines) {
      if (afterBlank && isBlank(each)) continue;
      afterBlank = isBlank(each);
      texts.push(`${paint(stamped(each), paper)}\n`);
    }
    if (texts.length > 0) write(texts.join(''));
  };
}

const isBlank = (each: Line) => each.spans.length === 0;
