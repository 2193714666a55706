import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Scope } from '../kit/async/scope.ts';
import { makeFoldersBelow } from '../kit/files/write.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { SuperviseSpec } from '../settings/schema/run-settings.ts';
import { takeLock } from './lock.ts';
import { runLock } from './runs/run-lock.ts';

/** The folder with the runs of a task. */
export function taskRunsFolder(taskFolder: string): string {
  return join(taskFolder, 'runs');
}

interface TaskRun {
  readonly run: string;
  readonly isRestarted: boolean;
}

/** One supervisor per task, one writer per run. A job locks only its run, not the task. */
export async function lockTask({ folder, task }: SuperviseSpec, { run, isRestarted }: TaskRun, scope: Scope): Promise<void> {
  const runsFolder = taskRunsFolder(folder);
  await makeTaskFolder(folder, runsFolder, 0o755);
  if (isRestarted) await take(join(folder, 'supervisor.lock'), run, `task ${task}`, scope);
  await take(runLock(runsFolder, run), run, `run ${run}`, scope);
}

/** Creates a folder of a task and its parents. Follows no link below the root, because an agent could have put it there. */
export async function makeTaskFolder(taskFolder: string, path: string, mode: number): Promise<void> {
  const root = dirname(dirname(taskFolder));
  try {
    await mkdir(root, { recursive: true });
    await makeFoldersBelow(root, path, mode);
  } catch (cause) {
    throw new OperatorError('folder-not-writable', `cannot create the task folder ${path}: ${(cause as Error).message}`, {
      hint: 'Make sure that the path is writable and contains no symbolic links, or choose another with --root.',
      exitCode: 4,
      cause,
    });
  }
}

async function take(path: string, run: string, what: string, scope: Scope): Promise<void> {
  const lock = await takeLock(path, run);
  if (lock.kind === 'taken') {
    // On a full disk the release fails; the lock is still free as soon as this process has ended.
    scope.defer(() => lock.release().catch(() => undefined));
    return;
  }
  const { by, liveness, path: file } = lock;
  const message =
    liveness === 'alive'
      ? `${what} is in the hands of run ${by.note} (pid ${by.pid} on ${by.host})`
      : `${what} is held by run ${by.note} from another machine or container (pid ${by.pid} on ${by.host}), where nobody here can see it`;
  const hint =
    liveness === 'alive' ? `Wait for it, or stop it with: ralph runs stop ${by.note}` : `If nothing works on it any more, remove ${file} and start again.`;
  throw new OperatorError('task-busy', message, { hint, exitCode: 4 });
}
