import type { AsyncLocalStorage } from 'node:async_hooks';
import { homedir } from 'node:os';

/** What a command has around it: that of this process, or what a call inside it was given. */
export interface Io {
  /** Throws when the folder is gone. */
  cwd(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Tells of signals, and of errors nobody caught. */
  readonly events: Pick<NodeJS.EventEmitter, 'on' | 'off' | 'prependListener'>;
}

const ofThisProcess: Io = {
  cwd: () => process.cwd(),
  // Opened when somebody asks for it: a stream costs time.
  get env() {
    return process.env;
  },
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  events: process,
};

let given: AsyncLocalStorage<Io> | null = null;

/** That of the call we are in. */
export function io(): Io {
  return given?.getStore() ?? ofThisProcess;
}

/** Works with other input and output than those of the process. Calls may go on side by side. */
export async function withIo<T>(those: Io, work: () => Promise<T>): Promise<T> {
  const { AsyncLocalStorage } = await import('node:async_hooks');
  given ??= new AsyncLocalStorage();
  return await given.run(those, work);
}

/** Of the user. Throws as Node does when nobody can say. */
export function homeOfUser(): string {
  return given?.getStore()?.env['HOME'] ?? homedir();
}
