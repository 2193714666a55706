import { dirname, join } from 'node:path';
import { startedIn } from '../../../store/runs/started-run.ts';
import { foldersIn } from '../../../kit/files/folders-in.ts';
import { taskRunsFolder } from '../../../store/hold-task-folder.ts';
import { isRunId } from '../../../store/task-ids.ts';

/** A run that others came from. */
export interface Ancestor {
  readonly run: string;
  /** Where its task is; null: nothing is known of it. */
  readonly taskFolder: string | null;
  readonly parent: string | null;
}

/** A chain of parents that is longer was forged. */
const LONGEST_CHAIN = 100;

/** That run and those it came from, the nearest first. Each is looked for once: a run begins before those that come from it. */
export type Ancestry = (run: string | null) => readonly Ancestor[];

/** Of the runs around a task, wherever in its root they lie. */
export function openAncestry(taskFolder: string): Ancestry {
  const known = new Map<string, Ancestor>();

  function find(run: string): Ancestor {
    const ancestor = known.get(run) ?? lookFor(run, taskFolder);
    known.set(run, ancestor);
    return ancestor;
  }

  return (run) => {
    const line: Ancestor[] = [];
    for (let next = run; next !== null && line.length < LONGEST_CHAIN; next = line.at(-1)?.parent ?? null) line.push(find(next));
    return line;
  };
}

function lookFor(run: string, around: string): Ancestor {
  for (const taskFolder of isRunId(run) ? tasksAround(around) : []) {
    const started = startedIn(join(taskRunsFolder(taskFolder), run));
    if (started) return { run, taskFolder, parent: started.task?.parent ?? null };
  }
  return { run, taskFolder: null, parent: null };
}

/** The task itself, those of its project, those of the others. */
function* tasksAround(taskFolder: string): Iterable<string> {
  const projectFolder = dirname(taskFolder);
  const root = dirname(projectFolder);
  yield taskFolder;
  for (const project of new Set([projectFolder, ...foldersIn(root).map((name) => join(root, name))])) {
    for (const task of foldersIn(project)) yield join(project, task);
  }
}
