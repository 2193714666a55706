import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDoor } from '../../../door/door-client.ts';
import * as z from '../../../kit/pure/shape.ts';
import { awaitedRun } from '../../../runs/manage/awaited-run.ts';
import { runWithStatus } from '../../../runs/manage/find-run.ts';
import { viewOfEvents } from '../../../runs/manage/show-run.ts';
import { type TailListener, tailRun } from '../../../runs/manage/tail-run.ts';
import { readJournalFile } from '../../../store/journal-file.ts';
import { readRunSummary } from '../../../store/runs/run-summary.ts';
import type { RemoteJob } from './ask-for-job.ts';

export interface EndedJob extends JobStatus {
  /** In the form of its own `--json`; null when it left none. */
  readonly view: object | null;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Waits for the end of a job in another process. The caller may be killed at any time without harm to the job. */
export async function awaitJob(job: RemoteJob): Promise<EndedJob> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const end = await endOfJob(job);
    if (end !== null) return { ...end, view: await viewOf(job) };
    await sleep(pauseMs);
  }
}

/** Reports the output of its agent from the beginning until the job has ended. */
export async function followJob({ run, runFolder }: RemoteJob, listener: TailListener): Promise<void> {
  const sight = await readRunSummary(dirname(runFolder), run);
  if (sight !== null) await tailRun(runWithStatus(sight), listener, { follow: true, signal: new AbortController().signal });
}

/** From its journal: run.json is written a moment after the run has recorded its end. */
async function viewOf({ runFolder }: RemoteJob): Promise<object | null> {
  try {
    const view = viewOfEvents(await readJournalFile(join(runFolder, 'journal.jsonl')));
    return view === null ? null : { ...view, run_folder: runFolder };
  } catch {
    return null;
  }
}

/** The status of a job: as in `ralph runs`, or `asked` and `refused` from a loop that has not started it. */
export type JobStatus = Readonly<z.infer<typeof JobStanding>>;
const JobStanding = z.object({ status: z.string(), exit_code: z.number().nullable(), message: z.string().nullable() });

const GOES_ON = ['running', 'asked', 'unknown'];

/** Asks the loop that started it, which can see the process; if that loop is gone, reads the job's own files. Null while the job runs. */
async function endOfJob(job: RemoteJob): Promise<JobStatus | null> {
  const answer = await askDoor(job.socket, { method: 'GET', path: `/v1/jobs/${job.run}` });
  const told = answer.kind === 'answered' && answer.status === 200 ? JobStanding.safeParse(answer.body) : null;
  if (told?.success) return GOES_ON.includes(told.data.status) ? null : told.data;
  return await endInFiles(job);
}

async function endInFiles({ run, runFolder }: RemoteJob): Promise<JobStatus | null> {
  const sight = await readRunSummary(dirname(runFolder), run);
  if (sight === null) return { status: 'unknown', exit_code: null, message: `its folder ${runFolder} no longer exists` };
  const standing = awaitedRun(sight);
  return standing.status === 'running' ? null : standing;
}
