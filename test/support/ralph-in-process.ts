import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/process/io.ts';

export interface InProcess {
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** After this time it gets two stop signals, so that it cannot disturb later tests. */
  readonly withinMs: number;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type RunCli = (argv: readonly string[], io: Io) => Promise<number>;

/** The built program, as Node loads it: nobody transforms what is shipped. */
const loadBuilt = () => createRequire(import.meta.url)('../../dist/cli/run-cli.js') as { readonly runCli: RunCli };

/** Runs a command of the built program inside this process with its own io: like a separate process, without the cost of starting one. */
export async function runInProcess(args: readonly string[], { cwd, env, stdin, withinMs }: InProcess): Promise<Ended> {
  const { runCli } = loadBuilt();
  const [stdout, stderr] = [paper(), paper()];
  const events = new EventEmitter();
  const stop = () => void [1, 2].map(() => events.emit('SIGTERM', 'SIGTERM'));
  const bound = setTimeout(stop, withinMs);
  const code = await runCli(args, {
    cwd: () => cwd,
    env,
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) as unknown as NodeJS.ReadStream,
    stdout: stdout.stream,
    stderr: stderr.stream,
    events,
  });
  clearTimeout(bound);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Collects its output; not a terminal. */
function paper(): { readonly stream: NodeJS.WriteStream; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => Buffer.concat(chunks).toString('utf8') };
}
