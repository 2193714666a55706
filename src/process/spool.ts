import { closeSync, writeSync } from 'node:fs';
import { openFresh } from '../kit/files/open-fresh.ts';
import type { StreamMask } from './mask-stream.ts';
import type { ProcessRequest } from './process-request.ts';

export type OutputSource = 'stdout' | 'stderr';

/** Keeps the output of a process on disk: as it is, unless somebody masks it. */
export interface Spool extends Disposable {
  /** Writes the chunk and returns the part that was kept: all of it, until the limit or the disk says no, and nothing after that. */
  keep(source: OutputSource, chunk: Buffer): Buffer;
}

type SpoolRequest = Pick<ProcessRequest, 'stdoutFile' | 'stderrFile' | 'maxOutputBytes' | 'mask'>;

const nothing = Buffer.alloc(0);
const SOURCES: readonly OutputSource[] = ['stdout', 'stderr'];
const AS_IT_IS: StreamMask = { push: (chunk) => chunk, end: () => nothing };

/** Never throws: the first trouble is told once, then output is dropped, so that the process can still be read and ended. */
export function openSpool(request: SpoolRequest, onTrouble: (detail: string) => void): Spool {
  const files = new Map<string, number>();
  const pathOf = { stdout: request.stdoutFile, stderr: request.stderrFile === 'merged' ? request.stdoutFile : request.stderrFile };
  // One for each stream: what the other one says in between must not tear a secret apart.
  const masks = { stdout: request.mask?.() ?? AS_IT_IS, stderr: request.mask?.() ?? AS_IT_IS };
  let left = request.maxOutputBytes > 0 ? request.maxOutputBytes : Number.POSITIVE_INFINITY;
  let broken: 'full' | 'unwritable' | null = null;

  const giveUp = (why: NonNullable<typeof broken>, detail: string) => {
    broken = why;
    onTrouble(detail);
  };
  for (const path of new Set([pathOf.stdout, pathOf.stderr])) {
    try {
      files.set(path, openFresh(path));
    } catch (error) {
      giveUp('unwritable', cannotWrite(path, error));
      break;
    }
  }

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
      for (const fd of files.values()) closeSync(fd);
      files.clear();
    },
  };
}

/** Synchronous, so a slow disk slows the process down instead of filling our memory. */
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
