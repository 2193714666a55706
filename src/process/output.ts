import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { closeSync, rmSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { openFresh } from '../kit/files/write.ts';
import { openAlarm } from './alarm.ts';
import { longestLineBytes, splitLines } from './lines.ts';
import type { StreamMask } from './mask-stream.ts';
import type { ProcessRequest } from './process-request.ts';

/**
 * After the sweep only a process that escaped it can still hold the pipes. We do not wait for it: the output of the ended process is already in
 * the pipes, is smaller than this, and is read without a pause.
 */
const mostDrainedBytes = 4 * 1024 * 1024;
const drainSilenceMs = 200;
const longestDrainMs = 10_000;

export interface OutputListener {
  /** Called after each chunk, when its lines have been emitted. */
  readonly onChunk: (source: OutputSource) => void;
  readonly onLine: (line: string) => void;
  readonly onErrorLine: ((line: string) => void) | undefined;
  /** Called at most once, when output can no longer be saved. */
  readonly onError: (detail: string) => void;
}

export interface Output extends Disposable {
  /** Reads the rest of the pipes and emits the last line. Call it once, when the process has ended. */
  drain(): Promise<void>;
}

interface Reading {
  readonly child: ChildProcessWithoutNullStreams;
  readonly files: SpoolFiles;
}

/** Spools the output of a process and emits its stdout line by line. The lines are exactly those of the spooled file before masking. */
export function readOutput({ child, files }: Reading, request: ProcessRequest, listener: OutputListener): Output {
  const spool = openSpool(request, listener.onError, files);
  const lines = splitLines(longestLineBytes, listener.onLine);
  const errorLines = listener.onErrorLine && splitLines(longestLineBytes, listener.onErrorLine);
  const pipes = [child.stdout, child.stderr];
  let onChunk = (_bytes: number) => {};

  // The next chunk is read only when this one is written and its lines are handled. No other back-pressure is needed.
  child.stdout.on('data', (chunk: Buffer) => {
    lines.push(spool.keep('stdout', chunk));
    listener.onChunk('stdout');
    onChunk(chunk.length);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    const kept = spool.keep('stderr', chunk);
    errorLines?.push(kept);
    listener.onChunk('stderr');
    onChunk(chunk.length);
  });
  for (const pipe of pipes) pipe.on('error', () => {});

  return {
    async drain() {
      await untilDrained(pipes, (listen) => {
        onChunk = listen;
      });
      lines.end();
    },
    [Symbol.dispose]() {
      for (const pipe of [child.stdin, ...pipes]) pipe.destroy();
      spool[Symbol.dispose]();
    },
  };
}

async function untilDrained(pipes: readonly Readable[], onEachChunk: (listen: (bytes: number) => void) => void): Promise<void> {
  const allClosed = Promise.all(pipes.map(async (pipe) => pipe.closed || (await new Promise((resolve) => pipe.once('close', resolve)))));
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  using silence = openAlarm(drainSilenceMs, giveUp);
  using patience = openAlarm(longestDrainMs, giveUp);
  silence.restart();
  patience.restart();
  let drainedBytes = 0;
  onEachChunk((bytes) => {
    silence.restart();
    drainedBytes += bytes;
    if (drainedBytes > mostDrainedBytes) giveUp();
  });
  await Promise.race([allClosed, givenUp]);
}

export type OutputSource = 'stdout' | 'stderr';

/** Saves the output of a process on disk, masked if the request has a mask. */
export interface Spool extends Disposable {
  /** Writes the chunk and returns the part that was saved: all of it until the size limit or a full disk, nothing after that. */
  keep(source: OutputSource, chunk: Buffer): Buffer;
}

type SpoolPlace = Pick<ProcessRequest, 'stdoutFile' | 'stderrFile' | 'stdoutFd'>;
type SpoolRequest = SpoolPlace & Pick<ProcessRequest, 'maxOutputBytes' | 'mask'>;

const nothing = Buffer.alloc(0);
const SOURCES: readonly OutputSource[] = ['stdout', 'stderr'];
const AS_IT_IS: StreamMask = { push: (chunk) => chunk, end: () => nothing };

/** The files for the output of a process, and why one of them could not be opened. */
export interface SpoolFiles {
  readonly files: Map<string, number>;
  /** A descriptor that the caller closes. */
  readonly lent: number | null;
  readonly trouble: string | null;
}

/** Opened before the process runs, because the process could later put a link at that path. */
export function openSpoolFiles({ stdoutFile, stderrFile, stdoutFd: lent = null }: SpoolPlace): SpoolFiles {
  const files = new Map<string, number>();
  for (const path of new Set([stdoutFile, stderrFile === 'merged' ? stdoutFile : stderrFile])) {
    try {
      files.set(path, (path === stdoutFile ? lent : null) ?? openFresh(path));
    } catch (error) {
      return { files, lent, trouble: cannotWrite(path, error) };
    }
  }
  return { files, lent, trouble: null };
}

function close({ files, lent }: SpoolFiles): void {
  for (const fd of files.values()) if (fd !== lent) closeSync(fd);
}

/** For a process that never started. */
export function removeSpoolFiles(opened: SpoolFiles): void {
  close(opened);
  for (const path of opened.files.keys()) rmSync(path, { force: true });
}

/** Never throws: it reports the first error once and then drops output, so that the process can still be read and ended. */
export function openSpool(request: SpoolRequest, onTrouble: (detail: string) => void, opened: SpoolFiles = openSpoolFiles(request)): Spool {
  const { files } = opened;
  const pathOf = { stdout: request.stdoutFile, stderr: request.stderrFile === 'merged' ? request.stdoutFile : request.stderrFile };
  // One mask per stream, so that output of the other stream cannot split a secret.
  const masks = { stdout: request.mask?.() ?? AS_IT_IS, stderr: request.mask?.() ?? AS_IT_IS };
  let left = request.maxOutputBytes > 0 ? request.maxOutputBytes : Number.POSITIVE_INFINITY;
  let broken: 'full' | 'unwritable' | null = null;

  const giveUp = (why: NonNullable<typeof broken>, detail: string) => {
    broken = why;
    onTrouble(detail);
  };
  if (opened.trouble !== null) giveUp('unwritable', opened.trouble);

  return {
    keep(source, chunk) {
      const fd = files.get(pathOf[source]);
      if (broken !== null || fd === undefined) return nothing;
      const wanted = chunk.subarray(0, left);
      const { written, error } = writeAll(fd, masks[source].push(wanted));
      const kept = error === null ? wanted.length : written;
      left -= kept;
      if (error !== null) giveUp('unwritable', cannotWrite(pathOf[source], error));
      else if (wanted.length < chunk.length) giveUp('full', `more than ${request.maxOutputBytes} bytes of output`);
      return chunk.subarray(0, kept);
    },
    [Symbol.dispose]() {
      for (const source of broken === 'unwritable' ? [] : SOURCES) {
        const fd = files.get(pathOf[source]);
        if (fd !== undefined) writeAll(fd, masks[source].end());
      }
      close(opened);
      files.clear();
    },
  };
}

/** Synchronous, so that a slow disk slows the process down instead of filling our memory. */
function writeAll(fd: number, bytes: Buffer): { readonly written: number; readonly error: unknown } {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
    return { written, error: null };
  } catch (error) {
    return { written, error };
  }
}

function cannotWrite(path: string, error: unknown): string {
  return `cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`;
}
