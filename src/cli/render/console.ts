import { type AgentFeed, openAgentFeed } from '../../core/views/console/agent-feed.ts';
import { emojiGlyphs, textGlyphs } from '../../core/views/console/glyphs.ts';
import { openJournalFeed } from '../../core/views/console/journal-feed.ts';
import { type Line, line, span } from '../../core/views/console/line.ts';
import type { Look } from '../../core/views/console/look.ts';
import { briefSummaryLines } from '../../core/views/console/summary-lines.ts';
import type { Projection } from '../../wiring/run-options.ts';
import { clockTime } from './clock-time.ts';
import { openFloodGate } from './flood-gate.ts';
import { paint } from './paint.ts';

export interface ConsoleOptions {
  readonly write: (text: string) => void;
  /** Of the terminal, in columns; 0 when there is none to run over. */
  readonly width: number;
  readonly colour: boolean;
  readonly emoji: boolean;
  readonly timestamps: boolean;
  /** Nothing but the result. */
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly nowMs: () => number;
}

/** A person reads ten lines a second at best; a burst is a long answer. */
const FLOOD = { burstLines: 2000, linesPerSecond: 200 };

/** The run as a person at a terminal sees it: plain lines that scroll, so that a log file reads the same. */
export function openConsole(options: ConsoleOptions): Projection {
  const { verbose, nowMs } = options;
  const look = lookOf(options);
  const print = printer(options);
  const journal = openJournalFeed(look, verbose);
  const feeds = new Map<string, AgentFeed>();
  const gate = openFloodGate(FLOOD, nowMs());
  let lanes = 1;
  let showsAgent = true;

  function feedOf(attempt: string): AgentFeed {
    const feed = feeds.get(attempt) ?? openAgentFeed(look, verbose);
    feeds.set(attempt, feed);
    return feed;
  }

  return {
    onEvent(event, state) {
      const { body } = event;
      if (options.quiet) {
        const ended = journal.ended(event, state);
        return ended ? print(briefSummaryLines(ended)) : undefined;
      }
      lanes = state.run?.settings.lanes ?? 1;
      showsAgent = state.run?.settings.streamAgentOutput ?? true;
      const attempt = body.type === 'attempt.ended' ? `${body.iteration}.${body.attempt}` : '';
      print([...heldBackLines(gate.heldBack()), ...journal.hear(event, state, feeds.get(attempt)?.events ?? 0)]);
      feeds.delete(attempt);
    },
    onAgentEvent(attempt, event) {
      if (options.quiet || !showsAgent) return;
      const now = nowMs();
      const lines = feedOf(attempt).hear(event, now);
      if (!gate.opensFor(now)) return;
      const shown = [...heldBackLines(gate.heldBack()), ...lines()];
      gate.passed(shown.length);
      print(lanes > 1 ? shown.map((each) => ({ ...each, spans: [span(`[${attempt}] `, 'dim'), ...each.spans] })) : shown);
    },
  };
}

function lookOf({ emoji, nowMs }: ConsoleOptions): Look {
  return { glyphs: emoji ? emojiGlyphs : textGlyphs, outputLines: 3, outputChars: 120, clock: (atMs) => clockTime(atMs, nowMs()) };
}

/** One write for all the lines of an event, so that nothing of another process comes between them; never two blank lines in a row. */
function printer({ write, width, colour, timestamps, nowMs }: ConsoleOptions): (lines: readonly Line[]) => void {
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
      texts.push(`${paint(stamped(each), { width, colour })}\n`);
    }
    if (texts.length > 0) write(texts.join(''));
  };
}

const isBlank = (each: Line) => each.spans.length === 0;

function heldBackLines(events: number): readonly Line[] {
  return events === 0 ? [] : [line(span(`... ${events} events not shown: too many to read. All of them are in the run's folder.`, 'dim'))];
}
