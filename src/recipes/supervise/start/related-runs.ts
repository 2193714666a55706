import { dirname, join } from 'node:path';
import { foldersIn } from '../../../kit/files/read.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { taskRunsFolder } from '../../../store/lock-task-folder.ts';
import { activeProcessOf, listFolder } from '../../../store/runs/run-lock.ts';
import { type ActiveRun, openRunsWatch, type RunsWatch } from '../../../store/runs/runs-watch.ts';
import { startedIn } from '../../../store/runs/started-run.ts';
import { isRunId, isTaskId } from '../../../store/task-place.ts';
import { childrenFolder, savedRequest } from '../children/child-place.ts';

/** An active run that concerns this run. */
export interface RelatedRun extends ActiveRun {
  /** It descends from us, or none of its other ancestors is active any more. Runs that another run is responsible for are not ours to end. */
  readonly isOurs: boolean;
}

type Scope = 'own' | 'task' | 'project';

/**
 * The active runs that concern a run. own: its descendants. task: every requested run of its task
 * (seed 002: also a child that outlived an earlier supervisor). project: both, and its descendants in the other tasks of the project.
 */
export function openRelatedRuns(spec: SuperviseSpec, runId: string, scope: Scope): () => Promise<readonly RelatedRun[]> {
  const ancestry = openAncestry(spec.folder);
  const relatedTasks = openRelatedTasks(spec, runId, scope, ancestry);
  const watches = new Map<string, RunsWatch>();

  function watchOf(taskFolder: string): RunsWatch {
    const watch = watches.get(taskFolder) ?? openRunsWatch(taskRunsFolder(taskFolder));
    watches.set(taskFolder, watch);
    return watch;
  }

  /** A run that was requested in our task is judged itself, so its descendants need not be. */
  function isUnrelated({ taskFolder, parent }: Ancestor): boolean {
    return taskFolder !== spec.folder || parent === null;
  }

  async function relatedIn(taskFolder: string): Promise<readonly RelatedRun[]> {
    const related: RelatedRun[] = [];
    for (const active of await watchOf(taskFolder).active()) {
      if (active.run === runId || active.parent === null) continue;
      const line = ancestry(active.parent);
      const comesFromUs = line.some(({ run }) => run === runId);
      if (comesFromUs || (scope !== 'own' && taskFolder === spec.folder))
        related.push({ ...active, isOurs: comesFromUs || !(await isAnyAtWork(line.filter(isUnrelated))) });
    }
    return related;
  }

  return async () => (await Promise.all([...relatedTasks()].map(relatedIn))).flat();
}

/** The run that was asked for a child over its socket keeps the request, be it us or one of our ancestors. */
function openRelatedTasks({ folder, parent }: SuperviseSpec, runId: string, scope: Scope, ancestry: Ancestry): () => ReadonlySet<string> {
  if (scope === 'task') return () => new Set([folder]);
  if (scope === 'project') return () => new Set(foldersIn(dirname(folder)).map((name) => join(dirname(folder), name)));
  const above = ancestry(parent).flatMap(({ run, taskFolder }) => (taskFolder === null ? [] : [{ run, taskFolder }]));
  const asked = openAskedTasks([{ run: runId, taskFolder: folder }, ...above]);
  return () => new Set([folder, ...asked()]);
}

async function isAnyAtWork(line: readonly Ancestor[]): Promise<boolean> {
  for (const { run, taskFolder } of line) {
    if (taskFolder !== null && activeProcessOf(run, listFolder(taskRunsFolder(taskFolder))) !== null) return true;
  }
  return false;
}

/** A run that keeps the requests it received. */
interface RequestKeeper {
  readonly run: string;
  readonly taskFolder: string;
}

/** The task folders for which children of those runs were requested. Each request is read once. */
function openAskedTasks(runs: readonly RequestKeeper[]): () => Iterable<string> {
  const read = new Set<string>();
  const tasks = new Set<string>();

  function readNew({ run, taskFolder }: RequestKeeper): void {
    const runFolder = join(taskRunsFolder(taskFolder), run);
    for (const child of foldersIn(childrenFolder(runFolder))) {
      const request = read.has(child) ? null : savedRequest(runFolder, child);
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

/** A run from which others descend. */
export interface Ancestor {
  readonly run: string;
  /** The folder of its task; null: unknown. */
  readonly taskFolder: string | null;
  readonly parent: string | null;
}

/** A longer chain of parents must be forged. */
const LONGEST_CHAIN = 100;

/** That run and its ancestors, the nearest first. Each is looked up once: a parent starts before its children. */
export type Ancestry = (run: string | null) => readonly Ancestor[];

/** Searches the runs around a task, anywhere in its root. */
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

/** The task itself, then the others of its project, then those of other projects. */
function* tasksAround(taskFolder: string): Iterable<string> {
  const projectFolder = dirname(taskFolder);
  const root = dirname(projectFolder);
  yield taskFolder;
  for (const project of new Set([projectFolder, ...foldersIn(root).map((name) => join(root, name))])) {
    for (const task of foldersIn(project)) yield join(project, task);
  }
}
