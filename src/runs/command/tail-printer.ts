import { openAgentEventMask } from '../../journal/mask-agent-events.ts';
import { openSecretHider } from '../../kit/pure/hide-secrets.ts';
import { io } from '../../process/io.ts';
import { openAgentFeed } from '../../report/console/agent-feed.ts';
import { textGlyphs } from '../../report/console/line.ts';
import { clockTime, paint } from '../../report/terminal/paint.ts';
import { terminalLook } from '../../report/terminal/terminal-look.ts';
import { secretsInEnvironment } from '../../sandbox/environment/open-mask.ts';
import { DEFAULTS } from '../../settings/schema/settings-defaults.ts';
import type { TailListener } from '../manage/tail-run.ts';

interface TailLook {
  readonly form: 'text' | 'raw' | 'json';
  /** How many lines to print of the output that exists already. */
  readonly lines: number;
  readonly write: (line: string) => void;
}

/** Prints the output of agents with secrets masked: readable, as the console of a run does, or as one JSON object per event. The raw form is printed unmasked. */
export function openTailPrinter({ form, lines, write }: TailLook): TailListener {
  const print = openLastLines(lines, write);
  const hide = openSecretHider(secretsInEnvironment());
  const paper = { ...terminalLook(io().stdout), hide };
  const look = {
    glyphs: textGlyphs,
    outputLines: DEFAULTS.console.maxOutputLines,
    outputChars: DEFAULTS.console.maxOutputChars,
    clock: (atMs: number) => clockTime(atMs, Date.now()),
  };
  let feed = openAgentFeed(look, false);
  let mask = openAgentEventMask(hide);
  let attempt = '';
  return {
    onAttempt(place, isCut) {
      attempt = place.attempt;
      feed = openAgentFeed(look, false);
      mask = openAgentEventMask(hide);
      if (form === 'text') print.line(`--- attempt ${attempt} (${place.role})${isCut ? ', last lines' : ''}: ${place.folder}`);
    },
    onLine(line) {
      if (form === 'raw') print.line(line);
    },
    onEvent(said) {
      const event = mask(said);
      if (form === 'json') print.line(JSON.stringify({ attempt, ...event }));
      if (form === 'text') for (const line of feed.linesFor(event, Date.now())()) print.line(paint(line, paper));
    },
    onCaughtUp: print.open,
  };
}

/** Keeps only the last lines until it is opened; after that, passes every line on. */
function openLastLines(most: number, write: (line: string) => void) {
  let kept: string[] | null = [];
  return {
    line(line: string) {
      if (kept === null) return write(line);
      kept.push(line);
      // Not on every line: removing one element at a time would move all the others each time.
      if (kept.length > 2 * most + 100) kept = lastOf(kept, most);
    },
    open() {
      for (const line of lastOf(kept ?? [], most)) write(line);
      kept = null;
    },
  };
}

function lastOf(lines: readonly string[], most: number): string[] {
  return most === 0 ? [] : lines.slice(-most);
}
