import { dirname, join } from 'node:path';
import { makeFoldersBelow } from '../../kit/files/make-folder.ts';
import type { Place } from '../../engine/ports/ports.ts';

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
