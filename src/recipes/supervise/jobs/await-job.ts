import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRunBrief } from '../../../store/runs/run-brief.ts';
import { readRegular } from '../../../kit/files/read-regular.ts';
import { type TailListener, tailRun } from '../../../runs/manage/tail-run.ts';
import { told } from '../../../runs/manage/told-runs.ts';
import type { JobElsewhere } from './ask-for-job.ts';
import { endOfJob, type JobStanding } from './job-standing.ts';

export interface EndedJob extends JobStanding {
  /** In the words of its own `--json`; null when it left none. */
  readonly view: object | null;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Waits for the end of a job that runs elsewhere. Whoever waits may be ended at any time: that is nothing to the job. */
export async function awaitJob(job: JobElsewhere): Promise<EndedJob> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const end = await endOfJob(job);
    if (end !== null) return { ...end, view: viewOf(job) };
    await sleep(pauseMs);
  }
}

/** Tells what its agent says, from the first word on, until it has ended. */
export async function followJob({ run, runFolder }: JobElsewhere, listener: TailListener): Promise<void> {
  const sight = await readRunBrief(dirname(runFolder), run);
  if (sight !== null) await tailRun(told(sight), listener, { follow: true, signal: new AbortController().signal });
}

function viewOf({ runFolder }: JobElsewhere): object | null {
  try {
    return { ...JSON.parse(readRegular(join(runFolder, 'run.json')) ?? ''), run_folder: runFolder };
  } catch {
    return null;
  }
}
