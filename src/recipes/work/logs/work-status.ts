import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Projection } from '../../../engine/contracts.ts';
import { attemptId } from '../../../journal/effects/effect.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { emptyState, type RunState, type StartedState } from '../../../journal/state/state.ts';
import { writeAtomic } from '../../../kit/files/write.ts';
import { openSecretHider } from '../../../kit/pure/hide-secrets.ts';
import { printable } from '../../../kit/pure/text.ts';
import { type AgentFeed, openAgentFeed } from '../../../report/console/agent-feed.ts';
import { openJournalFeed } from '../../../report/console/journal-feed.ts';
import { indented, type Line, textGlyphs } from '../../../report/console/line.ts';
import { SPEECH_COLUMNS, workerOfAttempt, workerOfEvent } from '../../../report/console/work-lines.ts';
import { workLogEntry } from '../../../report/views/work-log.ts';
import type { RunStatus } from '../../../runs/run-status.ts';
import { secretsInEnvironment } from '../../../sandbox/environment/open-mask.ts';
import type { WorkSpec } from '../../../settings/schema/work-spec.ts';
import { workScreen } from '../console/work-screen.ts';
import { type CurrentPlan, currentPlan } from './current-plan.ts';
import { type Heartbeat, type LogEntry, readHeartbeat } from './log-entry.ts';
import { lastEntries } from './tail-log.ts';
import { type LogFile, openLogFile } from './work-log-file.ts';

/** What a status shows of a run on a plan, beside the run itself. */
export interface WorkStatus {
  readonly heartbeat: Heartbeat;
  readonly last_entries: readonly LogEntry[];
  readonly plan_now: CurrentPlan;
}

const ENTRIES = 5;

/** Null for every other run. A reader never writes. */
export async function workStatus({ work, run_folder }: RunStatus, nowMs: number): Promise<WorkStatus | null> {
  if (!work) return null;
  return {
    heartbeat: readHeartbeat(work.logs, nowMs),
    last_entries: await lastEntries(work.logs, ENTRIES),
    // `<shared>/runs/<run>`
    plan_now: await currentPlan(work, dirname(dirname(run_folder)), nowMs),
  };
}

interface Means {
  readonly nowMs: () => number;
  readonly warn: (text: string) => void;
}

/** The log files that a run on a plan keeps for people and scripts (seed 000). */
export function workLogProjections({ logs }: WorkSpec, { nowMs, warn }: Means): readonly Projection[] {
  const hide = openSecretHider(secretsInEnvironment());
  return [keepWorkLog(logs, warn), keepHeartbeat(logs, { nowMs, warn }), keepWorkerLogs(logs, { nowMs, hide, warn })];
}

/** Keeps `ralph.jsonl` in the log folder (seed 000). Runs that share a plan share it: each line names its run. */
export function keepWorkLog(folder: string, warn: (text: string) => void): Projection {
  const file = openLogFile(join(folder, 'ralph.jsonl'), warn);
  const exitCodes = new Map<number, number>();
  let before: RunState = emptyState;
  return {
    onEvent(event, state) {
      const { body } = event;
      if (body.type === 'attempt.ended' && body.ending.kind === 'exited') exitCodes.set(body.iteration, body.ending.code);
      const entry = workLogEntry(event, before, state, exitCodes);
      before = state;
      if (body.type === 'iteration.closed') exitCodes.delete(body.iteration);
      if (entry !== null) file.add(`${JSON.stringify({ timestamp: new Date(event.at).toISOString(), ...entry })}\n`);
    },
    close: file.close,
  };
}

interface HeartbeatOptions {
  readonly nowMs: () => number;
  readonly warn: (text: string) => void;
  /** How often it is refreshed while nothing happens. */
  readonly everyMs?: number;
}

/** So a heartbeat that is two minutes old is certainly old. */
const EVERY_MS = 30_000;
const WORTH_A_BEAT: ReadonlySet<EventBody['type']> = new Set(['run.started', 'run.resumed', 'iteration.opened', 'iteration.closed', 'run.stopped']);

/** Keeps `ralph.heartbeat`: the time, written with every task (seed 000) and twice a minute between them, so that an old one means a dead or stuck loop. */
export function keepHeartbeat(folder: string, { nowMs, warn, everyMs = EVERY_MS }: HeartbeatOptions): Projection {
  const path = join(folder, 'ralph.heartbeat');
  let writing: Promise<void> | null = null;
  let isDue = false;
  let isTold = false;
  let timer: NodeJS.Timeout | null = null;

  /** Refreshes that arrive during a write are combined. */
  async function write(): Promise<void> {
    while (isDue) {
      isDue = false;
      await put(path, folder, nowMs()).catch((error: Error) => {
        if (!isTold) warn(`cannot write ${path}: ${error.message}`);
        isTold = true;
      });
    }
    writing = null;
  }

  function refreshHeartbeat(): void {
    isDue = true;
    writing ??= write();
  }

  function rest(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  return {
    onEvent({ body }) {
      if (!WORTH_A_BEAT.has(body.type)) return;
      refreshHeartbeat();
      if (body.type === 'run.stopped') rest();
      else timer ??= setInterval(refreshHeartbeat, everyMs).unref();
    },
    async close() {
      rest();
      await writing;
    },
  };
}

async function put(path: string, folder: string, atMs: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeAtomic(path, `${new Date(atMs).toISOString()}\n`, 0o644);
}

interface WorkerLogOptions {
  readonly nowMs: () => number;
  /** Removes secrets from a text. */
  readonly hide: (text: string) => string;
  readonly warn: (text: string) => void;
}

/** For one run and one worker: the run's folder has the complete output of agents anyway. */
const MOST_CHARS = 16 * 1024 * 1024;
/** The end of a run's id, which distinguishes runs that share the file. */
const RUN_CHARS = 6;

/** Keeps `ralph-worker-<lane>.log` for each worker: what the console shows of it, with the time and the end of the run's id before every line. */
export function keepWorkerLogs(folder: string, { nowMs, hide, warn }: WorkerLogOptions): Projection {
  const look = { glyphs: textGlyphs, outputLines: 3, outputChars: 120, clock: (atMs: number) => new Date(atMs).toISOString() };
  const journal = openJournalFeed(look, false, workScreen);
  const feeds = new Map<string, AgentFeed>();
  const logs = new Map<number, WorkerLog>();
  let last: RunState = emptyState;

  function logOf(lane: number): WorkerLog {
    const log = logs.get(lane) ?? openWorkerLog(openLogFile(join(folder, `ralph-worker-${lane}.log`), warn));
    logs.set(lane, log);
    return log;
  }

  function tell(lane: number | null, lines: readonly Line[]): void {
    if (lane === null) return;
    const texts = lines.filter(({ spans }) => spans.length > 0).map(({ spans }) => hide(printable(spans.map(({ text }) => text).join(''))));
    logOf(lane).add(texts, `[${new Date(nowMs()).toISOString()}] [${last.run?.id.slice(-RUN_CHARS) ?? ''}]`);
  }

  return {
    onEvent(event, state: StartedState) {
      const { body } = event;
      const lane = workerOfEvent(body, { before: last, state });
      last = state;
      tell(lane, journal.hear(event, state, 0));
      if (body.type === 'attempt.ended') feeds.delete(attemptId(body));
    },
    onAgentEvent(attempt, event) {
      const feed = feeds.get(attempt) ?? openAgentFeed(look, false);
      feeds.set(attempt, feed);
      tell(workerOfAttempt(attempt, last), indented(feed.linesFor(event, nowMs())(), SPEECH_COLUMNS));
    },
    onProgress: (progress) => tell(workerOfAttempt(progress.attempt, last), journal.hearProgress(progress)),
    async close() {
      await Promise.all([...logs.values()].map((log) => log.close()));
    },
  };
}

interface WorkerLog {
  add(texts: readonly string[], mark: string): void;
  close(): Promise<void>;
}

function openWorkerLog(file: LogFile): WorkerLog {
  let room = MOST_CHARS;
  return {
    add(texts, mark) {
      if (texts.length === 0 || room <= 0) return;
      const text = texts.map((line) => `${mark} ${line}\n`).join('');
      room -= text.length;
      file.add(room > 0 ? text : `${text}${mark} ... no more of this run is written here; the run's folder has all of it.\n`);
    },
    close: file.close,
  };
}
