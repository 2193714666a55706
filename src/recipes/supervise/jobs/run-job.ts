import type { FinishedRun, RunOptions } from '../../../runs/run-options.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import type { JobWish } from '../start/root-wish.ts';
import { startJob } from '../start/start-root.ts';
import { askForJob, type JobElsewhere } from './ask-for-job.ts';
import { jobWishHere } from './job-wish-here.ts';

/** Asks the loop of the calling agent; null when there is none. */
export function askOwnLoop(request: JobWish, cwd: string): Promise<JobElsewhere | null> {
  return askForJob(request, { cwd, env: environment() });
}

/** Runs a job to its end in this process. If a loop started it, its agent asks that loop for children, so that they outlive this job. */
export async function runJobHere(request: JobWish, options: RunOptions): Promise<FinishedRun> {
  const env = environment();
  const door = request.run === null ? undefined : env['RALPH_SOCKET'];
  return await startJob({ ...options, ...jobWishHere(request, { cwd: options.cwd, env }), ...(door ? { door } : {}) });
}
