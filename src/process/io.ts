import type { AsyncLocalStorage } from 'node:async_hooks';
import { homedir, userInfo } from 'node:os';

/** The streams, environment and events of a command: those of this process, or those given to a call inside it. */
export interface Io {
  /** Throws if the folder was removed. */
  cwd(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Emits signals and uncaught errors. */
  readonly events: Pick<NodeJS.EventEmitter, 'on' | 'off' | 'prependListener'>;
}

const ofThisProcess: Io = {
  cwd: () => process.cwd(),
  // Getters, because opening a stream costs time.
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

/** The io of the current call. */
export function io(): Io {
  return given?.getStore() ?? ofThisProcess;
}

/** Runs `work` with other streams than those of the process. Concurrent calls do not interfere. */
export async function withIo<T>(those: Io, work: () => Promise<T>): Promise<T> {
  const { AsyncLocalStorage } = await import('node:async_hooks');
  given ??= new AsyncLocalStorage();
  return await given.run(those, work);
}

/** The user's home folder. Throws like Node if it is unknown. */
export function homeOfUser(): string {
  return given?.getStore()?.env['HOME'] ?? homedir();
}

/** Names who asks where that is nobody at the keyboard: a command that the page of `ralph ui` runs for a person. */
export const OPERATOR_VARIABLE = 'RALPH_OPERATOR';

/** The name of the person at the keyboard, for what they allow or answer. */
export function whoIsThere(): string {
  const named = io().env[OPERATOR_VARIABLE];
  if (named) return named;
  try {
    return userInfo().username;
  } catch {
    return 'somebody without a name';
  }
}
