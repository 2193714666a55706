import type { Trouble } from '../../engine/ports/task-branches.ts';
import type { Captured } from '../../process/capture.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { firstComplaint } from '../git/git-command.ts';

/** Something that cannot be done, in one line: it ends what is being done, and is told as data. */
export class GitTrouble extends Error {
  override readonly name = 'GitTrouble';
}

/** What git or the disk refuses is data, and so is whatever comes of an abort; all else is a bug, and thrown. */
export async function orTrouble<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T | Trouble> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) return { kind: 'trouble', why: STOPPED };
    if (!(error instanceof GitTrouble) && !isOfTheSystem(error)) throw error;
    return { kind: 'trouble', why: oneLine(error.message) };
  }
}

const STOPPED = 'the run was stopped';

const isOfTheSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new GitTrouble(STOPPED);
}

/** What git printed. Trouble when it did not end well. */
export function must(answer: Captured, doing: string): string {
  if (answer.code === 0) return answer.stdout.trim();
  throw new GitTrouble(`${doing}: ${firstComplaint(answer)}`);
}
