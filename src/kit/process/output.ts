import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import { openAlarm } from './alarm.ts';
import { longestLineBytes, splitLines } from './lines.ts';
import type { ProcessRequest } from './process-request.ts';
import { type OutputSource, openSpool } from './spool.ts';

/** After the sweep only a process that escaped it can still hold the pipes; it is not waited for. */
const longestDrainMs = 1_000;
const drainSilenceMs = 200;

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

/** Spools what a process prints and gives its stdout line by line. The lines are those of the spooled file, neither more nor less. */
export function readOutput(child: ChildProcessWithoutNullStreams, request: ProcessRequest, listener: OutputListener): Output {
  const spool = openSpool(request, listener.onTrouble);
  const lines = splitLines(longestLineBytes, listener.onLine);
  const pipes = [child.stdout, child.stderr];
  let onChange = () => {};

  // The next chunk is read only when this one is written and its lines are taken: that is all the back-pressure needed.
  child.stdout.on('data', (chunk: Buffer) => {
    lines.push(spool.keep('stdout', chunk));
    listener.onHeard('stdout');
    onChange();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    spool.keep('stderr', chunk);
    listener.onHeard('stderr');
    onChange();
  });
  for (const pipe of pipes) pipe.on('error', () => {});

  return {
    async drain() {
      await untilClosedOrSilent(pipes, (onSound) => {
        onChange = onSound;
      });
      lines.end();
    },
    [Symbol.dispose]() {
      for (const pipe of [child.stdin, ...pipes]) pipe.destroy();
      spool[Symbol.dispose]();
    },
  };
}

async function untilClosedOrSilent(pipes: readonly Readable[], listen: (onSound: () => void) => void): Promise<void> {
  const allClosed = Promise.all(pipes.map(async (pipe) => pipe.closed || (await new Promise((resolve) => pipe.once('close', resolve)))));
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  using silence = openAlarm(drainSilenceMs, giveUp);
  using patience = openAlarm(longestDrainMs, giveUp);
  silence.restart();
  patience.restart();
  listen(() => silence.restart());
  await Promise.race([allClosed, givenUp]);
}
