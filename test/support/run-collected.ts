import type { ProcessEnding, ProcessIdentity, ProcessRequest } from '../../src/process/process-request.ts';
import { runProcess } from '../../src/process/run-process.ts';
import { never, requestIn } from './process-request.ts';

export interface CollectedRun {
  readonly ending: ProcessEnding;
  readonly lines: readonly string[];
  readonly spawned: readonly ProcessIdentity[];
  readonly request: ProcessRequest;
  readonly tookMs: number;
}

/** Runs a process and keeps what it printed and how long it took. */
export async function runCollected(folder: string, rest: Partial<ProcessRequest>, signal: AbortSignal = never): Promise<CollectedRun> {
  const lines: string[] = [];
  const spawned: ProcessIdentity[] = [];
  const request = requestIn(folder, {
    ...rest,
    onLine(line) {
      lines.push(line);
      rest.onLine?.(line);
    },
    onSpawned(identity) {
      spawned.push(identity);
      rest.onSpawned?.(identity);
    },
  });
  const startMs = performance.now();
  const ending = await runProcess(request, signal);
  return { ending, lines, spawned, request, tookMs: performance.now() - startMs };
}
