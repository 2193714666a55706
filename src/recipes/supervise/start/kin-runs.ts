import { dirname, join } from 'node:path';
import { listFolder, workerOn } from '../../../store/runs/run-lock.ts';
import { type ActiveRun, openRunsWatch, type RunsWatch } from '../../../store/runs/runs-watch.ts';
import { foldersIn } from '../../../kit/files/folders-in.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { type Ancestor, type Ancestry, openAncestry } from './ancestry.ts';
import { openAskedTasks } from './asked-tasks.ts';
import { taskRunsFolder } from '../../../store/hold-task-folder.ts';

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
