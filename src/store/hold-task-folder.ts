import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Scope } from '../kit/async/scope.ts';
import { makeFoldersBelow } from '../kit/files/write.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { takeLock } from './lock.ts';
import { runLock } from './runs/run-lock.ts';

/** Where the runs of a task lie. */
export function taskRunsFolder(taskFolder: string): string {
  return join(taskFolder, 'runs');
}

/** One supervisor per task, one writer per run. A job leaves the task to its supervisor. */
export async function holdTask({ recipe, supervise }: RunSettings, run: string, scope: Scope): Promise<void> {
  if (supervise === null) throw new Error('This run has no task folder.');
  const runsFolder = taskRunsFolder(supervise.folder);
  await makeTaskFolder(supervise.folder, runsFolder, 0o755);
  if (recipe === 'supervise') await take(join(supervise.folder, 'supervisor.lock'), run, `task ${supervise.task}`, scope);
  await take(runLock(runsFolder, run), run, `run ${run}`, scope);
}

/** Makes a folder of a task and all above it. Below the root no link is followed: an agent could have put it there. */
export async function makeTaskFolder(taskFolder: string, path: string, mode: number): Promise<void> {
  const root = dirname(dirname(taskFolder));
  try {
    await mkdir(root, { recursive: true });
    await makeFoldersBelow(root, path, mode);
  } catch (cause) {
    throw new OperatorError('folder-not-writable', `cannot make the folder of the task ${path}: ${(cause as Error).message}`, {
      hint: 'Make its place writable and free of links, or name another with --root.',
      exitCode: 4,
      cause,
    });
  }
}

async function take(path: string, run: string, what: string, scope: Scope): Promise<void> {
  const lock = await takeLock(path, run);
  if (lock.kind === 'taken') {
    // On a full disk it cannot be let go; it is free all the same as soon as this process is gone.
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
