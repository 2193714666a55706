import { basename, join } from 'node:path';
import { isThere } from '../../kit/files/is-there.ts';
import { makeFolder } from '../../kit/files/make-folder.ts';
import { writeAtomic } from '../../kit/files/write-atomic.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { freshFiles, type PlanFileName } from './fresh-files.ts';
import { ignoreMarker, type MarkerIgnored } from './ignore-marker.ts';
import { FOLDER, refuseAllButFiles, refuseAllButFolders } from './plan-folder.ts';
import { branchOf } from './plan-names.ts';
import { refuseWhileAtWork } from './refuse-at-work.ts';
import { removeLeftovers } from './remove-leftovers.ts';

export interface InitWish {
  readonly project: string;
  /** Null: the plan is called as its folder is. */
  readonly name: string | null;
  readonly force: boolean;
  readonly nowMs: number;
}

export interface MadePlan {
  readonly kind: 'made';
  readonly name: string;
  readonly branch: string;
  /** From the project, those that were written and those that were there already. */
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly marker: MarkerIgnored;
}

export type InitAnswer = MadePlan | { readonly kind: 'there'; readonly path: string };

/** tasks.json comes last: without it nothing was made yet, and whoever was killed does it again. */
const ORDER: readonly PlanFileName[] = ['prompt.md', 'progress.txt', 'prd.md', 'tasks.json'];

/** Makes the files of a new plan (seed 003). What is there beside a missing tasks.json is somebody's work, and is replaced only by force. */
export async function initPlan({ project, name: said, force, nowMs }: InitWish): Promise<InitAnswer> {
  const folder = join(project, FOLDER);
  if (!force && (await isThere(join(folder, 'tasks.json')))) return { kind: 'there', path: `${FOLDER}/tasks.json` };
  if (force) await refuseWhileAtWork(project);
  const name = nameOf(said ?? basename(project));
  const branch = branchOf(name);
  const files = await freshFiles({ project: name, branch, nowMs });
  refuseAllButFolders(folder);
  for (const file of ORDER) refuseAllButFiles(join(folder, file));
  const written: string[] = [];
  const kept: string[] = [];
  try {
    await makeFolder(folder, 0o755);
    await removeLeftovers(folder);
    for (const file of ORDER) {
      const isKept = !force && (await isThere(join(folder, file)));
      if (!isKept) await writeAtomic(join(folder, file), files[file], 0o644);
      (isKept ? kept : written).push(`${FOLDER}/${file}`);
    }
    return { kind: 'made', name, branch, written, kept, marker: await ignoreMarker(project) };
  } catch (cause) {
    throw notWritten(folder, cause);
  }
}

function nameOf(said: string): string {
  const name = oneLine(said);
  if (name !== '') return name;
  throw new OperatorError('usage', 'the plan needs a name', { hint: 'Give it one with --name.', exitCode: 2 });
}

function notWritten(folder: string, cause: unknown): OperatorError {
  // The rest names a temporary file.
  const [reason = ''] = (cause as Error).message.split(',');
  return new OperatorError('plan-not-written', `cannot write to ${folder}: ${reason}`, {
    hint: 'Check the permissions of this directory and the room on its disk, then do it again.',
    exitCode: 4,
    cause,
  });
}
