import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { putNumbered } from '../../src/kit/files/numbered.ts';
import { identityOf } from '../../src/process/identity.ts';
import { isRunning } from './live-processes.ts';

export interface StandingChild extends Disposable {
  readonly run: string;
  isRunning(): boolean;
  end(): void;
}

/** A run that another one has asked for, at work until somebody ends it: a real process that holds a real lock. */
export async function startStandingChild(taskFolder: string, parent: string, run = '20260115-044055-c0ffee'): Promise<StandingChild> {
  const runsFolder = join(taskFolder, 'runs');
  await mkdir(join(runsFolder, run), { recursive: true });
  const { pid = 0 } = spawn('sleep', ['3600'], { stdio: 'ignore' });
  const identity = identityOf(pid);
  if (identity === null) throw new Error('The child has not started.');
  const writer = { host: identity.host, boot_id: identity.bootId, pid, start_time: identity.startTime };
  const supervise = { project: 'demo', task: 'task-001', folder: taskFolder, parent };
  const started = { v: 1, seq: 1, at: 0, type: 'run.started', run, cwd: taskFolder, writer, settings: { recipe: 'job', gates: [], supervise } };
  await writeFile(join(runsFolder, run, 'journal.jsonl'), `${JSON.stringify(started)}\n`);
  await putNumbered(runsFolder, `${run}.lock`, 1, JSON.stringify({ ...identity, note: run }));
  const end = () => void (isRunning(pid) && process.kill(pid, 'SIGKILL'));
  return { run, isRunning: () => isRunning(pid), end, [Symbol.dispose]: end };
}
