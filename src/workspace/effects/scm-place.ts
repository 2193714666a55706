import { dirname, join } from 'node:path';
import type { Place } from '../../engine/ports/ports.ts';
import { makeFoldersBelow } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

interface Task {
  readonly iteration: number;
  readonly task: number;
}

/** Where an SCM task keeps what it said. */
export async function scmLog({ runFolder }: Place, { iteration, task }: Task, name: string): Promise<string> {
  const file = join(runFolder, 'iterations', String(iteration).padStart(3, '0'), `scm-${task + 1}-${name}.log`);
  await makeFoldersBelow(runFolder, dirname(file), 0o700);
  return file;
}

/** Begins like the markers of attempts, so that a dead loop's hooks are found, and is none of theirs, so that no attempt's sweep meets it. */
export function scmMarker({ markerPrefix }: Place, { iteration, task }: Task): string {
  return `${markerPrefix}/${iteration}.scm-${task + 1}`;
}

/** What git has to do for a proof. An agent may have broken the repository: then nothing is proven, the run stops without a fact, and a resume begins there again. */
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

/** Where what was put back is kept: one ref for each time, so that nothing anybody made is ever lost under the next. */
export function keptRef({ markerPrefix }: Place, name: string): string {
  const run = markerPrefix.split('~')[0] ?? '';
  return `refs/ralph/kept/${run}/${name.replaceAll('~', '-')}`;
}

/** The run a place belongs to: the same in every life of it. */
export function runIdOf({ markerPrefix }: Pick<Place, 'markerPrefix'>): string {
  return markerPrefix.split('~')[0] ?? '';
}

/** A message of ours on a branch of ours: what it is about, and the iteration it comes from. */
export function messageWithTrailer(subject: string, place: Pick<Place, 'markerPrefix'>, iteration: number): string {
  return `${subject}\n\nRalph-Run: ${runIdOf(place)}/${iteration}\n`;
}
