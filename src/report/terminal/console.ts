import type { Projection } from '../../engine/contracts.ts';
import { openSecretHider } from '../../kit/pure/hide-secrets.ts';
import type { ConsoleSpec } from '../../settings/schema/run-settings.ts';
import { DEFAULTS } from '../../settings/schema/settings-file.ts';
import { emojiGlyphs, type Line, span, textGlyphs } from '../console/line.ts';
import type { RecipeScreen } from '../console/recipe-screen.ts';
import { openStatusFeed, type StatusFeed } from '../console/status-feed.ts';
import { clockTime, type Paper, paint } from './paint.ts';
import { openRunScreen, type RunScreen } from './run-screen.ts';
import { openStatusLine, type StatusLine } from './status-line.ts';

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
  /** What the run's recipe adds. */
  readonly screen: RecipeScreen;
  /** Of a terminal whose last line can be written anew; absent: plain lines only. */
  readonly status?: TerminalStatus;
}

export interface TerminalStatus {
  /** Now: somebody may have changed its size. */
  readonly columns: () => number;
  readonly isReady: () => boolean;
}

/** The run as it is seen, and what is left to do at its end. */
interface OpenScreen extends RunScreen {
  readonly close: () => void;
}

/** The run as a person at a terminal sees it: plain lines that scroll, so that a log file reads the same. How it looks is a setting of the run, known with its first event. */
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

/** The status hears everything first, so that lines are never followed by an old one. */
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

/** Nothing where not even a dot would fit. */
function statusText(status: Line | null, paper: Paper): string {
  return status === null || paper.width < 1 ? '' : paint(status, paper);
}

export interface PrinterOptions extends Paper {
  readonly write: (text: string) => void;
  /** Whether the time of day stands before every line. */
  readonly timestamps: boolean;
  readonly nowMs: () => number;
}

/** One write for all the lines of an event, so that nothing of another process comes between them; never two blank lines in a row. */
function openPrinter({ write, timestamps, nowMs, ...paper }: PrinterOptions): (lines: readonly Line[]) => void {
  let afterBlank = true;
  const stamped = (each: Line): Line => {
    if (!timestamps || isBlank(each)) return each;
    const now = nowMs();
    return { ...each, spans: [span(`[${clockTime(now, now)}] `, 'dim'), ...each.spans] };
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
