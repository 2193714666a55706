import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildRequest } from '../journal/effects/task-effect.ts';
import type { RunState } from '../journal/state/state.ts';
import { type Answer, type DoorContext, refusal, type SupervisorDoor } from './door-context.ts';
import type { JobRequest } from './door-requests.ts';

const EVERY_MS = 25;
/** A child has 30 s to register. After this time the answer is 202 and names the child's folder and log. */
const LONGEST_MS = 40_000;
/** Each request stays in memory with its prompt until it is started. */
const MOST_ASKED = 100;

/** Asks the loop to start a child, and answers once the child has registered or was refused. The request is journaled before anything is done about it. */
export async function requestJob(job: JobRequest, { state, tell, closing }: DoorContext, rooms: SupervisorDoor): Promise<Answer> {
  const { run } = state();
  if (run === null) return refusal(409, 'this run has not begun');
  if (isLeaving(state())) return refusal(409, 'this run is being stopped');
  if (state().children.asked.length >= MOST_ASKED) return refusal(409, `${MOST_ASKED} jobs are already waiting to start`);
  const child: ChildRequest = { ...job, run: rooms.newRunId(), parent: job.parent ?? run.id };
  if (!(await tell({ type: 'child.asked', child }))) return refusal(409, 'this run is over');
  const untilMs = performance.now() + LONGEST_MS;
  for (;;) {
    const answer = answerFrom(state(), child, rooms);
    if (answer !== null) return answer;
    if (performance.now() > untilMs || closing.aborted) return { status: 202, body: placeOf(child, rooms) };
    await sleep(EVERY_MS);
  }
}

/** Null while the result is not known. */
function answerFrom(state: RunState, child: ChildRequest, rooms: SupervisorDoor): Answer | null {
  const { run } = child;
  if (state.children.started.includes(run)) return { status: 201, body: placeOf(child, rooms) };
  const refused = state.children.refused.find((each) => each.run === run);
  if (refused) return refusal(409, refused.why);
  const isBegun = state.inFlight.some((effect) => effect.kind === 'start-child' && effect.child.run === run);
  return isLeaving(state) && !isBegun ? refusal(409, 'this run is being stopped') : null;
}

function placeOf({ run, task }: ChildRequest, { runFolderOf, logOf }: SupervisorDoor): object {
  return { run, run_folder: runFolderOf(run, task), log: logOf(run) };
}

function isLeaving({ leaving, stopped }: RunState): boolean {
  return leaving !== null || stopped !== null;
}

/** The status of a child of this loop; null when it is unknown here. */
export async function jobStatus(run: string, { state }: DoorContext, { statusOf }: SupervisorDoor): Promise<Answer | null> {
  const { children } = state();
  const refused = children.refused.find((child) => child.run === run);
  if (refused) return { status: 200, body: { run, status: 'refused', exit_code: null, message: refused.why } };
  const known = await statusOf(run);
  if (known !== null) return { status: 200, body: known };
  return children.asked.some((child) => child.run === run) ? { status: 200, body: { run, status: 'asked', exit_code: null, message: null } } : null;
}
