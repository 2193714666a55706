import { dirname } from 'node:path';
import * as z from 'zod';
import { readRunBrief } from '../../../store/runs/run-brief.ts';
import { askDoor } from '../../../door/door-client.ts';
import { awaitedRun } from '../../../runs/manage/awaited-run.ts';
import type { JobElsewhere } from './ask-for-job.ts';

/** How a job stands: in the words of `ralph runs`, or `asked` and `refused` by a loop that has not begun it. */
export type JobStanding = Readonly<z.infer<typeof JobStanding>>;
const JobStanding = z.object({ status: z.string(), exit_code: z.number().nullable(), message: z.string().nullable() });

const GOES_ON = ['running', 'asked', 'unknown'];

/** Asks the loop that started it, which can see the process; when that is gone, the job's own files. Null while it goes on. */
export async function endOfJob(job: JobElsewhere): Promise<JobStanding | null> {
  const answer = await askDoor(job.socket, { method: 'GET', path: `/v1/jobs/${job.run}` });
  const told = answer.kind === 'answered' && answer.status === 200 ? JobStanding.safeParse(answer.body) : null;
  if (told?.success) return GOES_ON.includes(told.data.status) ? null : told.data;
  return await endInFiles(job);
}

async function endInFiles({ run, runFolder }: JobElsewhere): Promise<JobStanding | null> {
  const sight = await readRunBrief(dirname(runFolder), run);
  if (sight === null) return { status: 'unknown', exit_code: null, message: `its folder ${runFolder} is gone` };
  const standing = awaitedRun(sight);
  return standing.status === 'running' ? null : standing;
}
