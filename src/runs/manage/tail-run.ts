import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamParser } from '../../agents/agent-definition.ts';
import { canPrintText } from '../../agents/command-words.ts';
import { definitions } from '../../agents/definitions.ts';
import { openPlainParser } from '../../agents/line-parser.ts';
import { timeZoneOf } from '../../agents/reset-time.ts';
import type { AgentEvent } from '../../journal/words/agent-event.ts';
import { foldersIn, openRegular } from '../../kit/files/read.ts';
import { longestLineBytes, splitLines } from '../../process/lines.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { AgentSpec } from '../../settings/schema/sandbox-spec.ts';
import { startIn } from '../../store/run-home.ts';
import { readRunSummary } from '../../store/runs/run-summary.ts';
import { type RunWithStatus, unreadable } from './find-run.ts';

/** Receives the output of agents, attempt by attempt. */
export interface TailListener {
  onAttempt(place: AttemptPlace, isCut: boolean): void;
  /** The raw line. */
  onLine(line: string): void;
  /** The parsed line. */
  onEvent(event: AgentEvent): void;
  /** Called when everything that existed at the start has been reported. */
  onCaughtUp(): void;
}

interface TailOptions {
  /** Continue from one attempt to the next until the run has ended. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** How much of a long output is searched for its last lines. */
const LAST_BYTES = 8 * 1024 * 1024;
const EVERY_MS = 200;

/** Reports the output of the run's newest agent. False when there was no agent yet and `follow` is off. */
export async function tailRun({ sight }: RunWithStatus, listener: TailListener, { follow, signal }: TailOptions): Promise<boolean> {
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const { agent } = ((await startIn(sight.folder))?.line['settings'] ?? {}) as { readonly agent?: unknown };
  let place = attemptsIn(sight.folder).at(-1) ?? null;
  using heard = openTailReader(listener, (role) => openSpoolParser(agent, role));
  if (place !== null) heard.begin(place, LAST_BYTES);
  heard.listen();
  listener.onCaughtUp();
  while (follow && !signal.aborted) {
    const brief = await readRunSummary(sight.runsFolder, sight.run);
    const isOver = brief?.kind !== 'run' || brief.liveness !== 'alive';
    heard.listen();
    for (const next of attemptsAfter(place, sight.folder)) {
      heard.begin(next, Number.POSITIVE_INFINITY);
      heard.listen();
      place = next;
    }
    if (isOver) break;
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return place !== null;
}

function attemptsAfter(place: AttemptPlace | null, runFolder: string): readonly AttemptPlace[] {
  const all = attemptsIn(runFolder);
  return all.slice(all.findIndex(({ folder }) => folder === place?.folder) + 1);
}

interface TailReader extends Disposable {
  begin(place: AttemptPlace, lastBytes: number): void;
  listen(): void;
}

/** Reads one attempt after the other; each is read to its end before the next. */
function openTailReader(listener: TailListener, parserFor: (role: string) => StreamParser): TailReader {
  let close: () => void = () => undefined;
  let listen: () => void = () => undefined;
  return {
    begin(place, lastBytes) {
      close();
      const file = openGrowingFile(join(place.folder, 'agent.jsonl'), lastBytes);
      const parser = parserFor(place.role);
      const lines = splitLines(longestLineBytes, (line) => {
        listener.onLine(line);
        for (const event of parser.line(line)) listener.onEvent(event);
      });
      listener.onAttempt(place, file.isCut);
      listen = () => {
        for (const piece of file.more()) lines.push(piece);
      };
      close = () => {
        listen();
        lines.end();
        for (const event of parser.end(false)) listener.onEvent(event);
        file[Symbol.dispose]();
      };
    },
    listen: () => listen(),
    [Symbol.dispose]: () => close(),
  };
}

/** The output of one agent, read piece by piece while it works. */
export interface AttemptTail extends Disposable {
  /** What it has said since the last call. */
  more(): readonly AgentEvent[];
  /** When it said something last, by the file of its output; 0: there is none yet. */
  saidAtMs(): number;
}

interface AttemptOfRun {
  readonly runFolder: string;
  /** `<iteration>.<k>` */
  readonly attempt: string;
  readonly role: string;
  /** The agent in the run's settings. */
  readonly agent: unknown;
  /** How far back it begins. */
  readonly lastBytes?: number;
}

/** How far back the last word of an agent is looked for. */
const LAST_WORD_BYTES = 64 * 1024;

export function openAttemptTail({ runFolder, attempt, role, agent, lastBytes = LAST_WORD_BYTES }: AttemptOfRun): AttemptTail {
  const parser = openSpoolParser(agent, role);
  const heard: AgentEvent[] = [];
  const lines = splitLines(longestLineBytes, (line) => heard.push(...parser.line(line)));
  let file: GrowingFile | null = null;
  return {
    more() {
      const place = file === null ? attemptsIn(runFolder).find((each) => each.attempt === attempt) : undefined;
      if (place !== undefined) file = openGrowingFile(join(place.folder, 'agent.jsonl'), lastBytes);
      for (const piece of file?.more() ?? []) lines.push(piece);
      return heard.splice(0);
    },
    saidAtMs: () => file?.changedMs() ?? 0,
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  };
}

/** Parses the output of an agent as the run itself does. The output of an unknown agent is read as plain text. */
function openSpoolParser(agent: unknown, role: string): StreamParser {
  const said = AgentSpec.safeParse(agent);
  const definition = said.success ? definitions.find(({ name }) => name === said.data.kind) : undefined;
  if (!said.success || definition === undefined) return openPlainParser();
  if (role === 'message' && canPrintText({ ...said.data, definition })) return openPlainParser();
  return definition.openParser({ nowMs: Date.now, timeZone: timeZoneOf(environment()) });
}

/** One agent process of a run, and the folder with its output. */
export interface AttemptPlace {
  /** `<iteration>.<k>` */
  readonly attempt: string;
  readonly role: string;
  readonly folder: string;
}

/** Every attempt with a folder, in the order they were made. */
export function attemptsIn(runFolder: string): readonly AttemptPlace[] {
  const iterations = join(runFolder, 'iterations');
  return numbered(iterations, /^(\d+)$/).flatMap(({ number: iteration, name }) =>
    numbered(join(iterations, name), /^(\d+)-([a-z]+)$/).map(({ number, name: attempt, rest }) => ({
      attempt: `${iteration}.${number}`,
      role: rest,
      folder: join(iterations, name, attempt),
    })),
  );
}

function numbered(folder: string, pattern: RegExp) {
  const found = foldersIn(folder).flatMap((name) => {
    const [, number, rest = ''] = pattern.exec(name) ?? [];
    return number === undefined ? [] : [{ number: Number(number), name, rest }];
  });
  return found.sort((one, other) => one.number - other.number);
}

/** A file that another process may still be writing, read up to its current end. */
export interface GrowingFile extends Disposable {
  /** The new bytes, in pieces; empty when there are none. */
  more(): Iterable<Buffer>;
  /** When it was written last; 0: it is missing. */
  changedMs(): number;
  /** Whether its beginning was skipped. */
  readonly isCut: boolean;
}

const pieceBytes = 256 * 1024;
const lineFeed = 0x0a;

/** Starts this many bytes before the end of the file, at the beginning of a line. A missing file reads as empty. */
function openGrowingFile(path: string, lastBytes: number): GrowingFile {
  let fd = openRegular(path);
  let at = fd === null ? 0 : startOfLine(fd, Math.max(0, fstatSync(fd).size - lastBytes));
  return {
    isCut: at > 0,
    changedMs: () => (fd === null ? 0 : fstatSync(fd).mtimeMs),
    *more() {
      fd ??= openRegular(path);
      for (let piece = pieceAt(fd, at); piece.length > 0; piece = pieceAt(fd, at)) {
        at += piece.length;
        yield piece;
      }
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

/** The start of the first line at or after this offset; the end of the file if there is none. */
function startOfLine(fd: number, from: number): number {
  if (from === 0) return 0;
  for (let at = from - 1; ; ) {
    const piece = pieceAt(fd, at);
    const end = piece.indexOf(lineFeed);
    if (end >= 0) return at + end + 1;
    if (piece.length === 0) return at;
    at += piece.length;
  }
}

function pieceAt(fd: number | null, at: number): Buffer {
  if (fd === null) return Buffer.alloc(0);
  const bytes = Buffer.allocUnsafe(pieceBytes);
  return bytes.subarray(0, readSync(fd, bytes, 0, pieceBytes, at));
}
