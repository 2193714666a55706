import type { Projection } from '../../engine/contracts.ts';
import { attemptId } from '../../journal/effects/effect.ts';
import { emptyState, type RunState, type StartedState } from '../../journal/state/state.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import { type AgentFeed, openAgentFeed } from '../console/agent-feed.ts';
import { openJournalFeed } from '../console/journal-feed.ts';
import { indented, type Line, line, span } from '../console/line.ts';
import { type DisplaySettings, row } from '../console/look.ts';
import type { RecipeScreen } from '../console/recipe-screen.ts';
import { briefSummaryLines, resumeRows } from '../console/summary/summary-lines.ts';
import { labelledByWorker, SPEECH_COLUMNS, workerOfAttempt, workerOfEvent } from '../console/work-lines.ts';

export interface RunScreenOptions {
  readonly look: DisplaySettings;
  readonly print: (lines: readonly Line[]) => void;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly runFolder: string | null;
  readonly nowMs: () => number;
  readonly screen: RecipeScreen;
}

export type RunScreen = Required<Omit<Projection, 'close'>>;

/** A person reads at most ten lines a second; a burst is a long answer. */
const FLOOD = { burstLines: 2000, linesPerSecond: 200 };

/** Merges the lines of the run, its agents and its guardrails in the order in which they arrive. */
export function openRunScreen(options: RunScreenOptions): RunScreen {
  return options.quiet ? openQuietScreen(options) : openFullScreen(options);
}

function openQuietScreen({ look, print, screen }: RunScreenOptions): RunScreen {
  const journal = openJournalFeed(look, false, screen);
  return {
    onEvent(event, state: StartedState) {
      journal.hear(event, state, 0);
      const ended = journal.ended(event, state);
      if (ended) print([...briefSummaryLines(ended, screen, look), ...resumeRows(event.body, state)]);
    },
    onAgentEvent() {},
    onProgress() {},
  };
}

function openFullScreen({ look, print, verbose, runFolder, nowMs, screen }: RunScreenOptions): RunScreen {
  const journal = openJournalFeed(look, verbose, screen);
  const feeds = new Map<string, AgentFeed>();
  const gate = openFloodGate(FLOOD, nowMs());
  let last: RunState = emptyState;

  function feedOf(attempt: string): AgentFeed {
    const feed = feeds.get(attempt) ?? openAgentFeed(look, verbose);
    feeds.set(attempt, feed);
    return feed;
  }

  return {
    onEvent(event, state: StartedState) {
      const { body } = event;
      const lane = workerOfEvent(body, { before: last, state });
      last = state;
      const attempt = body.type === 'attempt.ended' ? attemptId(body) : '';
      const folder = body.type === 'run.stopped' && runFolder !== null ? [row('folder', span(runFolder))] : [];
      print([
        ...heldBackLines(gate.heldBack()),
        ...labelledByWorker(journal.hear(event, state, feeds.get(attempt)?.events ?? 0), lane, state),
        ...folder,
        ...resumeRows(body, state),
      ]);
      feeds.delete(attempt);
    },
    onAgentEvent(attempt, event) {
      if (last.run?.settings.streamAgentOutput === false || journal.isSilent(attempt)) return;
      const now = nowMs();
      const lines = feedOf(attempt).linesFor(event, now);
      if (!gate.opensFor(now)) return;
      const shown = [...heldBackLines(gate.heldBack()), ...lines()];
      gate.passed(shown.length);
      print(ofAttempt(shown, attempt, last));
    },
    onProgress(progress) {
      print([...heldBackLines(gate.heldBack()), ...labelledByWorker(journal.hearProgress(progress), workerOfAttempt(progress.attempt, last), last)]);
    },
  };
}

/** Indents the line below the task of the attempt, if there is one. */
function ofAttempt(lines: readonly Line[], attempt: string, state: RunState): readonly Line[] {
  return labelledByWorker(factsOf(state.run?.settings).hasTasks ? indented(lines, SPEECH_COLUMNS) : lines, workerOfAttempt(attempt, state), state);
}

function heldBackLines(events: number): readonly Line[] {
  return events === 0 ? [] : [line(span(`... ${events} events not shown: too many to read. All of them are in the run's folder.`, 'dim'))];
}

/** Limits the cost of a stream that is too fast to read: a token bucket that fills with time and empties with lines. */
export interface FloodGate {
  /** Whether the next event is shown. Once closed, the gate stays closed until enough tokens for part of a screen have accumulated. */
  opensFor(nowMs: number): boolean;
  /** Call after this many lines were shown. */
  passed(lines: number): void;
  /** How many events were skipped since the last call. */
  heldBack(): number;
}

export interface FloodLimits {
  readonly burstLines: number;
  readonly linesPerSecond: number;
}

export function openFloodGate({ burstLines, linesPerSecond }: FloodLimits, startMs: number): FloodGate {
  let room = burstLines;
  let filledMs = startMs;
  let open = true;
  let held = 0;
  return {
    opensFor(nowMs) {
      room = Math.min(burstLines, room + (Math.max(0, nowMs - filledMs) / 1000) * linesPerSecond);
      filledMs = nowMs;
      open = room >= (open ? 1 : burstLines / 4);
      if (!open) held += 1;
      return open;
    },
    passed(lines) {
      room -= lines;
    },
    heldBack() {
      const count = held;
      held = 0;
      return count;
    },
  };
}
