import { closeSync, writeSync } from 'node:fs';
import { openFresh } from '../files/open-fresh.ts';
import type { ProcessRequest } from './process-request.ts';

export type OutputSource = 'stdout' | 'stderr';

/** Keeps the raw output of a process on disk. */
export interface Spool extends Disposable {
  /** Writes the chunk and returns the part that was kept: all of it, until the limit or the disk says no, and nothing after that. */
  keep(source: OutputSource, chunk: Buffer): Buffer;
}

type SpoolRequest = Pick<ProcessRequest, 'stdoutFile' | 'stderrFile' | 'maxOutputBytes'>;

const nothing = Buffer.alloc(0);

/** Never throws: the first trouble is told once, then output is dropped, so that the process can still be read and ended. */
export function openSpool(request: SpoolRequest, onTrouble: (detail: string) => void): Spool {
  const files = new Map<string, number>();
  const pathOf = { stdout: request.stdoutFile, stderr: request.stderrFile === 'merged' ? request.stdoutFile : request.stderrFile };
  let left = request.maxOutputBytes > 0 ? request.maxOutputBytes : Number.POSITIVE_INFINITY;
  let broken = false;

  const giveUp = (detail: string) => {
    broken = true;
    onTrouble(detail);
  };
  for (const path of new Set([pathOf.stdout, pathOf.stderr])) {
    try {
      files.set(path, openFresh(path));
    } catch (error) {
      giveUp(cannotWrite(path, error));
      break;
    }
  }

  return {
    keep(source, chunk) {
      const fd = files.get(pathOf[source]);
      if (broken || fd === undefined) return nothing;
      const wanted = chunk.length > left ? chunk.subarray(0, left) : chunk;
      const { written, error } = writeAll(fd, wanted);
      left -= written;
      if (error !== null) giveUp(cannotWrite(pathOf[source], error));
      else if (wanted !== chunk) giveUp(`more than ${request.maxOutputBytes} bytes of output`);
      return written === chunk.length ? chunk : chunk.subarray(0, written);
    },
    [Symbol.dispose]() {
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
