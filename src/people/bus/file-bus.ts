import { closeSync, fdatasync, fstatSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Bus } from '../../engine/ports/supervision.ts';
import type { BusMessage, NewBusMessage } from '../../journal/messages.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { isStillAt, type OpenBus, openToAppend, rotate } from './bus-files.ts';
import { openBusFollower } from './bus-follower.ts';
import { escapeBody } from './entry.ts';
import { bytesSince, lastMessages, messagesSince } from './read-messages.ts';

export interface FileBusOptions {
  /** Rotate the file when it has this many bytes; 0 means never. */
  readonly rotateBytes?: number;
  /** Whether a post waits for the disk. */
  readonly fsync?: boolean;
  readonly nowMs?: () => number;
}

/** A bus in a file that people can read, with the operations that only a file has. */
export interface FileBus extends Bus, Disposable {
  post(posting: Posting): Promise<string>;
  /**
   * Reports every message after the one with that id, and every new one, in order, until the signal aborts. Null: from the first message of the file. Rotation
   * and truncation do not stop it. Resolves with false at once when there is no such id.
   */
  follow(fromId: string | null, onMessage: (message: BusMessage) => void, signal: AbortSignal): Promise<boolean>;
}

/** Opens nothing yet: a bus without a post is empty, and the first post makes its file. */
export function openFileBus(path: string, { rotateBytes = 0, fsync = false, nowMs = Date.now }: FileBusOptions = {}): FileBus {
  const writer = openBusWriter(path);
  let rotating: Promise<void> | null = null;

  async function rotateOnce(): Promise<void> {
    rotating ??= rotate(path, rotateBytes, nowMs()).finally(() => {
      rotating = null;
    });
    await rotating;
  }

  return {
    path,
    async post(posting) {
      const now = nowMs();
      const msg_id = newMessageId(now);
      writer.append(entryBytes(posting, { msg_id, ts: new Date(now).toISOString() }));
      if (fsync) await writer.sync();
      if (rotateBytes > 0 && writer.size() >= rotateBytes) await rotateOnce();
      return msg_id;
    },
    last: async (count, mostBytes) => lastMessages(path, count, mostBytes),
    since: async (id) => messagesSince(path, id),
    bytesSince: async (id) => bytesSince(path, id),
    follow: (fromId, onMessage, signal) => followBus(path, { fromId, onMessage }, signal),
    [Symbol.dispose]: () => writer[Symbol.dispose](),
  };
}

const NANOS_OF_A_MILLISECOND = 1_000_000n;
let count = 0;

/** Like `MSG-20260223-191710-184887000-PID67946-0001`: unique across processes, and in order within one process. */
function newMessageId(nowMs: number): string {
  count += 1;
  // The system clock has only milliseconds; the other digits only make ids unique.
  const rest = (process.hrtime.bigint() % NANOS_OF_A_MILLISECOND).toString().padStart(6, '0');
  const [, year, month, day, hour, minute, second, millisecond] = PARTS.exec(new Date(nowMs).toISOString()) ?? [];
  return `MSG-${year}${month}${day}-${hour}${minute}${second}-${millisecond}${rest}-PID${process.pid}-${String(count).padStart(4, '0')}`;
}

const PARTS = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)\.(\d+)Z$/;

const POLL_MS = 200;

export interface Following {
  readonly fromId: string | null;
  readonly onMessage: (message: BusMessage) => void;
}

/** Checks several times a second whether the bus has grown. False when the message to begin after does not exist. */
async function followBus(path: string, { fromId, onMessage }: Following, signal: AbortSignal): Promise<boolean> {
  using trails = openBusFollower(path, fromId);
  if (trails === null) return false;
  while (!signal.aborted) {
    for (const message of trails.next()) {
      if (signal.aborted) return true;
      onMessage(message);
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return true;
}

/** A message to post. With `body_base64` those bytes are its body, whatever its text says. */
export interface Posting extends NewBusMessage {
  readonly body_base64?: string;
}

export interface Stamp {
  readonly msg_id: string;
  readonly ts: string;
}

/**
 * An entry as it goes into the file. It begins with a line break, so that an unfinished entry before it cannot swallow it. The length of its body is the last
 * line of its header, so that a header without it is known to be unfinished.
 */
export function entryBytes(posting: Posting, { msg_id, ts }: Stamp): Buffer {
  const { type, project_id, task_id, run_id, issue_id, parents, links, meta, body, body_base64 } = posting;
  const { bytes, isChanged } = escapeBody(body_base64 === undefined ? Buffer.from(body) : Buffer.from(body_base64, 'base64'));
  const header = [
    '\n---\n',
    headerLine('msg_id', msg_id),
    // YAML would read a timestamp here, but we treat it as text.
    `ts: ${ts}\n`,
    headerLine('type', type),
    headerLine('project_id', project_id),
    headerLine('task_id', task_id),
    headerLine('run_id', run_id),
    headerLine('issue_id', issue_id ?? (type === 'ISSUE' ? msg_id : undefined)),
    headerLine('parents', parents),
    headerLine('links', links),
    headerLine('meta', meta),
    headerLine('body_disguised', isChanged ? true : undefined),
    headerLine('body_bytes', bytes.length),
    '---\n',
  ];
  return Buffer.concat([Buffer.from(header.join('')), bytes, NEWLINE]);
}

const NEWLINE = Buffer.from('\n');

/** What a YAML reader takes for text without quotes: a word, or the id of a run. */
const PLAIN = /^(?:[A-Za-z]|\d{8}-\d)[\w.-]*$/;
/** Words that YAML does not read as text. */
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
/** Characters that JSON does not escape and that YAML takes for a line break or refuses. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

type Scalar = string | number | true;

/** One line of a header, valid as YAML; empty for an undefined value. Lists and maps are JSON, which is YAML too. */
function headerLine(key: string, value: Scalar | object | undefined): string {
  if (value === undefined) return '';
  return `${key}: ${typeof value === 'string' && PLAIN.test(value) && !NO_TEXT.test(value) ? value : quoted(value)}\n`;
}

function quoted(value: Scalar | object): string {
  return JSON.stringify(value).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export interface BusWriter extends Disposable {
  /** Appends everything or throws. It needs no lock: the system lets only one write at a time append to a file. */
  append(bytes: Buffer): void;
  /** Resolves when the appended bytes are on the disk. */
  sync(): Promise<void>;
  /** The size of the file that was last written to. */
  size(): number;
}

const onDisk = promisify(fdatasync);

/** Keeps the file open between posts, and opens it again when its path leads elsewhere: it was rotated, replaced or removed. */
function openBusWriter(path: string): BusWriter {
  let held: OpenBus | null = null;

  function closeFile(): void {
    if (held !== null) closeSync(held.fd);
    held = null;
  }

  function current(): OpenBus {
    if (held !== null && isStillAt(path, held)) return held;
    closeFile();
    held = openToAppend(path);
    return held;
  }

  return {
    append(bytes) {
      const { fd } = current();
      const written = attempt(path, () => writeSync(fd, bytes));
      // The rest must not be written: another entry may stand in between by now. Readers skip the unfinished one.
      if (written < bytes.length) throw refused(path, new Error(`only ${written} of ${bytes.length} bytes were written`));
    },
    async sync() {
      if (held === null) return;
      await onDisk(held.fd).catch((cause: unknown) => {
        throw refused(path, cause);
      });
    },
    size: () => (held === null ? 0 : fstatSync(held.fd).size),
    [Symbol.dispose]: closeFile,
  };
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw refused(path, cause);
  }
}

function refused(path: string, cause: unknown): OperatorError {
  return new OperatorError('bus-not-written', `cannot write to the message bus ${path}: ${(cause as Error).message}`, {
    hint: 'Free disk space or fix the permissions, then post it again; no other message is affected.',
    exitCode: 4,
    cause,
  });
}
