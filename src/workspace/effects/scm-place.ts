import { dirname, join } from 'node:path';
import type { Place } from '../../engine/ports/ports.ts';
import { makeFoldersBelow } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

interface Task {
  readonly iteration: number;
  readonly task: number;
}

/** The file for the output of an SCM task. */
export async function scmLog({ runFolder }: Place, { iteration, task }: Task, name: string): Promise<string> {
  const file = join(runFolder, 'iterations', String(iteration).padStart(3, '0'), `scm-${task + 1}-${name}.log`);
  await makeFoldersBelow(runFolder, dirname(file), 0o700);
  return file;
}

/**
 * Has the prefix of an attempt's marker, so that the hooks of a dead loop are found. It differs from every attempt's marker, so that no attempt's sweep ends
 * it.
 */
export function scmMarker({ markerPrefix }: Place, { iteration, task }: Task): string {
  return `${markerPrefix}/${iteration}.scm-${task + 1}`;
}

/**
 * For git work that a proof needs. If it fails, perhaps because an agent broke the repository, nothing is proven: the run stops without a fact, and a resume
 * starts again here.
 */
export async function gitMust<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new OperatorError('git-broken', `git cannot ${what}: ${(error as Error).message}`, {
      hint: 'Mend what it complains about and continue with: ralph runs resume',
      exitCode: 4,
      cause: error,
    });
  }
}

/** The ref that keeps what was reverted. Every revert has its own ref, so that no later one overwrites it. */
export function keptRef({ markerPrefix }: Place, name: string): string {
  const run = markerPrefix.split('~')[0] ?? '';
  return `refs/ralph/kept/${run}/${name.replaceAll('~', '-')}`;
}

/** The id of the run that a place belongs to: the same in every sitting. */
export function runIdOf({ markerPrefix }: Pick<Place, 'markerPrefix'>): string {
  return markerPrefix.split('~')[0] ?? '';
}

/** The message of a commit that Ralph makes on its own branch, with the iteration it comes from. */
export function messageWithTrailer(subject: string, place: Pick<Place, 'markerPrefix'>, iteration: number): string {
  return `${subject}\n\nRalph-Run: ${runIdOf(place)}/${iteration}\n`;
}
