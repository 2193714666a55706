import type { FinishedRun, RunOptions } from '../../../runs/run-options.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import type { JobOptions } from '../start/root-request.ts';
import { startJob } from '../start/start-root.ts';
import { askForJob, type RemoteJob } from './ask-for-job.ts';
import { withAgentDefaults } from './job-defaults.ts';

/** Asks the loop of the calling agent; null when there is none. */
export function askOwnLoop(request: JobOptions, cwd: string): Promise<RemoteJob | null> {
  return askForJob(request, { cwd, env: environment() });
}

/** Runs a job to its end in this process. If a loop started it, its agent asks that loop for children, so that they outlive this job. */
export async function runJobHere(request: JobOptions, options: RunOptions): Promise<FinishedRun> {
  const env = environment();
  const door = request.run === null ? undefined : env['RALPH_SOCKET'];
  return await startJob({ ...options, ...withAgentDefaults(request, { cwd: options.cwd, env }), ...(door ? { door } : {}) });
}
