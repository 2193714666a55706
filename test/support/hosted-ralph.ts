import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { HOSTS } from './command-hosts.ts';

interface Command {
  readonly args: readonly string[];
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

type Waiting = Map<number, { readonly resolve: (ended: Ended) => void; readonly reject: (error: Error) => void }>;

let host: { readonly socket: Socket; readonly waiting: Waiting } | null = null;
let count = 0;

/** Runs a command of the built program in a process that all commands of this worker share: like one of its own, without the cost of starting Node. */
export async function runHosted(command: Command): Promise<Ended> {
  host ??= openHost();
  const { socket, waiting } = host;
  count += 1;
  const id = count;
  return await new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    socket.write(`${JSON.stringify({ id, ...command })}\n`);
  });
}

function openHost(): NonNullable<typeof host> {
  const socket = connect(process.env[HOSTS] ?? '');
  const waiting: Waiting = new Map();
  createInterface({ input: socket }).on('line', (line) => {
    const { id, ...ended } = JSON.parse(line) as Ended & { readonly id: number };
    waiting.get(id)?.resolve(ended);
    waiting.delete(id);
  });
  socket
    .once('error', () => undefined)
    .once('close', () => {
      const error = new Error('the host of commands has ended');
      host = null;
      for (const { reject } of waiting.values()) reject(error);
      // Nobody waits for it: vitest tells it.
      if (waiting.size === 0) throw error;
    });
  socket.unref();
  return { socket, waiting };
}
