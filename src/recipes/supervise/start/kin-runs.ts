import { dirname, join } from 'node:path';
import { foldersIn } from '../../../kit/files/read.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { taskRunsFolder } from '../../../store/hold-task-folder.ts';
import { listFolder, workerOn } from '../../../store/runs/run-lock.ts';
import { type ActiveRun, openRunsWatch, type RunsWatch } from '../../../store/runs/runs-watch.ts';
import { startedIn } from '../../../store/runs/started-run.ts';
import { isRunId, isTaskId } from '../../../store/task-place.ts';
import { childrenFolder, keptRequest } from '../children/child-place.ts';

/** A run at work that a run has to do with. */
export interface KinRun extends ActiveRun {
  /** It came from us, or of those it came from nobody else is at work any more. What another run answers for is not ours to end. */
  readonly isOurs: boolean;
}

type Scope = 'own' | 'task' | 'project';

/**
 * The runs at work that a run has to do with. own: those whose parents lead to it. task: every run of its task that some run asked for
 * (seed 002: also a child that outlived an earlier supervisor). project: both, and its own in the other tasks of the project.
 */
export function openKinRuns(spec: SuperviseSpec, runId: string, scope: Scope): () => Promise<readonly KinRun[]> {
  const ancestry = openAncestry(spec.folder);
  const tasksWithKin = openTasksWithKin(spec, runId, scope, ancestry);
  const watches = new Map<string, RunsWatch>();

  function watchOf(taskFolder: string): RunsWatch {
    const watch = watches.get(taskFolder) ?? openRunsWatch(taskRunsFolder(taskFolder));
    watches.set(taskFolder, watch);
    return watch;
  }

  /** One that somebody has asked for in our task is judged itself: what came from it goes where it goes. */
  function isNoKin({ taskFolder, parent }: Ancestor): boolean {
    return taskFolder !== spec.folder || parent === null;
  }

  async function kinIn(taskFolder: string): Promise<readonly KinRun[]> {
    const kin: KinRun[] = [];
    for (const active of await watchOf(taskFolder).active()) {
      if (active.run === runId || active.parent === null) continue;
      const line = ancestry(active.parent);
      const comesFromUs = line.some(({ run }) => run === runId);
      if (comesFromUs || (scope !== 'own' && taskFolder === spec.folder))
        kin.push({ ...active, isOurs: comesFromUs || !(await isAnyAtWork(line.filter(isNoKin))) });
    }
    return kin;
  }

  return async () => (await Promise.all([...tasksWithKin()].map(kinIn))).flat();
}

/** Who is asked for a child over a door keeps the request, be it us or one that we came from. */
function openTasksWithKin({ folder, parent }: SuperviseSpec, runId: string, scope: Scope, ancestry: Ancestry): () => ReadonlySet<string> {
  if (scope === 'task') return () => new Set([folder]);
  if (scope === 'project') return () => new Set(foldersIn(dirname(folder)).map((name) => join(dirname(folder), name)));
  const above = ancestry(parent).flatMap(({ run, taskFolder }) => (taskFolder === null ? [] : [{ run, taskFolder }]));
  const asked = openAskedTasks([{ run: runId, taskFolder: folder }, ...above]);
  return () => new Set([folder, ...asked()]);
}

async function isAnyAtWork(line: readonly Ancestor[]): Promise<boolean> {
  for (const { run, taskFolder } of line) {
    if (taskFolder !== null && workerOn(run, await listFolder(taskRunsFolder(taskFolder))) !== null) return true;
  }
  return false;
}

/** A run that keeps what was asked of it. */
interface Asked {
  readonly run: string;
  readonly taskFolder: string;
}

/** The folders of the tasks that children of those runs were asked for. Each request is read once. */
function openAskedTasks(runs: readonly Asked[]): () => Iterable<string> {
  const read = new Set<string>();
  const tasks = new Set<string>();

  function readNew({ run, taskFolder }: Asked): void {
    const runFolder = join(taskRunsFolder(taskFolder), run);
    for (const child of foldersIn(childrenFolder(runFolder))) {
      const request = read.has(child) ? null : keptRequest(runFolder, child);
      if (request === null) continue;
      read.add(child);
      const task = request.task ?? '';
      tasks.add(isTaskId(task) ? join(dirname(taskFolder), task) : taskFolder);
    }
  }

  return () => {
    for (const run of runs) readNew(run);
    return tasks;
  };
}

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
function openAncestry(taskFolder: string): Ancestry {
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
