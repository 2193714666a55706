import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import { openAlarm } from './alarm.ts';
import { longestLineBytes, splitLines } from './lines.ts';
import type { ProcessRequest } from './process-request.ts';
import { type OutputSource, openSpool } from './spool.ts';

/**
 * After the sweep only a process that escaped it can still hold the pipes. It is not waited for: what the ended one wrote is there already,
 * is less than this, and is read without a pause, though a slow reader may need its time.
 */
const mostDrainedBytes = 4 * 1024 * 1024;
const drainSilenceMs = 200;
const longestDrainMs = 10_000;

export interface OutputListener {
  /** After each chunk, when its lines have been given. */
  readonly onHeard: (source: OutputSource) => void;
  readonly onLine: (line: string) => void;
  /** Output can no longer be kept; said at most once. */
  readonly onTrouble: (detail: string) => void;
}

export interface Output extends Disposable {
  /** Reads what is left in the pipes and gives the last line. To be called once, when the process has ended. */
  drain(): Promise<void>;
}

/** Spools what a process prints and gives its stdout line by line. The lines are those of the spooled file before anything was masked in it, neither more nor less. */
export function readOutput(child: ChildProcessWithoutNullStreams, request: ProcessRequest, listener: OutputListener): Output {
  const spool = openSpool(request, listener.onTrouble);
  const lines = splitLines(longestLineBytes, listener.onLine);
  const pipes = [child.stdout, child.stderr];
  let onChunk = (_bytes: number) => {};

  // The next chunk is read only when this one is written and its lines are taken: that is all the back-pressure needed.
  child.stdout.on('data', (chunk: Buffer) => {
    lines.push(spool.keep('stdout', chunk));
    listener.onHeard('stdout');
    onChunk(chunk.length);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    spool.keep('stderr', chunk);
    listener.onHeard('stderr');
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
