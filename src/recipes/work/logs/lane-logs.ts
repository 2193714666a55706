import { join } from 'node:path';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import { type AgentFeed, openAgentFeed } from '../../../report/console/agent-feed.ts';
import { textGlyphs } from '../../../report/console/glyphs.ts';
import { openJournalFeed } from '../../../report/console/journal-feed.ts';
import { indented, type Line } from '../../../report/console/line.ts';
import { laneOfAttempt, laneOfEvent } from '../console/work-lanes.ts';
import { SPEECH_COLUMNS } from '../../../report/console/work-lines.ts';
import { printable } from '../../../kit/pure/printable.ts';
import { attemptId } from '../../../journal/effects/effect.ts';
import type { Projection } from '../../../engine/projection.ts';
import { type LogFile, openLogFile } from './work-log-file.ts';

interface Means {
  readonly nowMs: () => number;
  /** Takes secrets out of a text. */
  readonly hide: (text: string) => string;
  readonly warn: (text: string) => void;
}

/** Of one run and one lane: all that an agent says is in the run's folder anyway. */
const MOST_CHARS = 16 * 1024 * 1024;
/** The end of a run's id, which tells it from others that write there. */
const RUN_CHARS = 6;

/** Keeps `ralph-worker-<lane>.log` for each lane: what the console shows of it, with the time and the end of the run's id before every line. */
export function keepLaneLogs(folder: string, { nowMs, hide, warn }: Means): Projection {
  const look = { glyphs: textGlyphs, outputLines: 3, outputChars: 120, clock: (atMs: number) => new Date(atMs).toISOString() };
  const journal = openJournalFeed(look, false);
  const feeds = new Map<string, AgentFeed>();
  const logs = new Map<number, LaneLog>();
  let last: RunState = emptyState;

  function logOf(lane: number): LaneLog {
    const log = logs.get(lane) ?? openLaneLog(openLogFile(join(folder, `ralph-worker-${lane}.log`), warn));
    logs.set(lane, log);
    return log;
  }

  function tell(lane: number | null, lines: readonly Line[]): void {
    if (lane === null) return;
    const texts = lines.filter(({ spans }) => spans.length > 0).map(({ spans }) => hide(printable(spans.map(({ text }) => text).join(''))));
    logOf(lane).add(texts, `[${new Date(nowMs()).toISOString()}] [${last.run?.id.slice(-RUN_CHARS) ?? ''}]`);
  }

  return {
    onEvent(event, state) {
      const { body } = event;
      const lane = laneOfEvent(body, { before: last, state });
      last = state;
      tell(lane, journal.hear(event, state, 0));
      if (body.type === 'attempt.ended') feeds.delete(attemptId(body));
    },
    onAgentEvent(attempt, event) {
      const feed = feeds.get(attempt) ?? openAgentFeed(look, false);
      feeds.set(attempt, feed);
      tell(laneOfAttempt(attempt, last), indented(feed.hear(event, nowMs())(), SPEECH_COLUMNS));
    },
    onProgress: (progress) => tell(laneOfAttempt(progress.attempt, last), journal.hearProgress(progress)),
    async close() {
      await Promise.all([...logs.values()].map((log) => log.close()));
    },
  };
}

interface LaneLog {
  add(texts: readonly string[], mark: string): void;
  close(): Promise<void>;
}

function openLaneLog(file: LogFile): LaneLog {
  let room = MOST_CHARS;
  return {
    add(texts, mark) {
      if (texts.length === 0 || room <= 0) return;
      const text = texts.map((line) => `${mark} ${line}\n`).join('');
      room -= text.length;
      file.add(room > 0 ? text : `${text}${mark} ... no more of this run is written here; all of it is in the run's folder.\n`);
    },
    close: file.close,
  };
}
