import { closeSync, fdatasync, fstatSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { isStillAt, type OpenBus, openToAppend } from './bus-path.ts';

export interface BusWriter extends Disposable {
  /** Appends whole or throws. No lock: the system lets only one write at a time reach the end of a file. */
  append(bytes: Buffer): void;
  /** Returns when what was appended is on the disk. */
  sync(): Promise<void>;
  /** Of the file that was last written to. */
  size(): number;
}

const onDisk = promisify(fdatasync);

/** The file is kept open between posts, and opened again when something else lies at its path: it was rotated, replaced or removed. */
export function openBusWriter(path: string): BusWriter {
  let held: OpenBus | null = null;

  function letGo(): void {
    if (held !== null) closeSync(held.fd);
    held = null;
  }

  function current(): OpenBus {
    if (held !== null && isStillAt(path, held)) return held;
    letGo();
    held = openToAppend(path);
    return held;
  }

  return {
    append(bytes) {
      const { fd } = current();
      const written = attempt(path, () => writeSync(fd, bytes));
      // The rest must not follow: another entry may stand between by now. Readers step over what was begun.
      if (written < bytes.length) throw refused(path, new Error(`only ${written} of ${bytes.length} bytes were taken`));
    },
    async sync() {
      if (held === null) return;
      await onDisk(held.fd).catch((cause: unknown) => {
        throw refused(path, cause);
      });
    },
    size: () => (held === null ? 0 : fstatSync(held.fd).size),
    [Symbol.dispose]: letGo,
  };
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw refused(path, cause);
  }
}

function refused(path: string, cause: unknown): OperatorError {
  return new OperatorError('bus-not-written', `cannot write to the message bus ${path}: ${(cause as Error).message}`, {
    hint: 'Free the disk or fix the permissions, then post it again; no other message is harmed.',
    exitCode: 4,
    cause,
  });
}
