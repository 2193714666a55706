import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { ChildRequest } from '../journal/effects/task-effect.ts';
import { NewBusMessage } from '../journal/messages.ts';
import { openQuestions } from '../journal/state/questions.ts';
import type { OpenIteration, RunState } from '../journal/state/state.ts';
import { LONGEST_QUESTION } from '../journal/words/claim.ts';
import * as shape from '../kit/pure/shape.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import { factsOf } from '../settings/schema/recipe-facts.ts';
import { type Answer, type DoorContext, refusal, type SupervisorDoor } from './door-context.ts';

// The requests that an agent may send to the door. The messages of their schemas tell it what is wrong.

/** Names that become part of a path. */
const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'is not a valid name: use letters, digits, dot, dash and underscore, at most 200');
const Ms = z.number().int().nonnegative().nullish().default(null);
const Word = z.string().min(1).nullish().default(null);

/** `POST /v1/jobs`. Missing fields are as its supervisor has them. The prompt may be missing only when there is a command. */
export const JobRequest = z.strictObject({
  /** The run that asks; by default the one that answers. */
  parent: Name.nullish().default(null),
  task: Name.nullish().default(null),
  agent: Word,
  model: Word,
  checks: z.array(z.string().min(1)).default([]),
  cwd: z.string().startsWith('/', 'must be an absolute path').nullish().default(null),
  /** The longest time without output, and the longest time in all; 0: no limit. */
  idle_ms: Ms,
  run_ms: Ms,
  prompt: z.string().default(''),
});
export type JobRequest = Readonly<z.infer<typeof JobRequest>>;

/** `POST /v1/bus`: a message, and on which of the two buses it goes. Project, task and run are filled in. */
export const BusPostRequest = NewBusMessage.extend({ project_id: shape.string().optional(), bus: shape.enum(['task', 'project']).default('task') });
export type BusPostRequest = Readonly<shape.infer<typeof BusPostRequest>>;

/** `GET /v1/bus?…`. */
export const BusReadRequest = z.object({
  bus: z.enum(['task', 'project']).default('task'),
  tail: z.coerce.number().int().min(1).max(10_000).default(20),
  since: z.string().min(1).nullish().default(null),
});
export type BusReadRequest = Readonly<z.infer<typeof BusReadRequest>>;

/** `POST /v1/questions`: what to ask a person; for an agent of `ralph work` its task and the fencing number. */
export const QuestionRequest = z.strictObject({ text: z.string(), task: Word, n: z.number().int().positive().nullish().default(null) });
export type QuestionRequest = Readonly<z.infer<typeof QuestionRequest>>;

/** `POST /v1/tasks/<id>/complete`: the fencing number of the hold, and who says so. */
export const CompletionRequest = z.strictObject({ n: z.number().int().positive(), by: z.string() });
export type CompletionRequest = Readonly<z.infer<typeof CompletionRequest>>;

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

/** An agent that asks more has not understood what a question is for, and every one is kept in memory. */
const MOST_OPEN = 20;

/** Records what an agent asks a person. On the bus of a supervised task it stands too, where people and other agents read it. */
export async function askPerson({ text, task, n }: QuestionRequest, house: DoorContext): Promise<Answer> {
  const asked = truncateCodePoints(text.trim(), LONGEST_QUESTION, '…');
  if (!/[\p{L}\p{N}]/u.test(asked)) return refusal(400, 'the question is empty');
  const { run, stopped } = house.state();
  if (run === null || stopped !== null) return refusal(409, run === null ? 'this run has not begun' : 'this run is over');
  const about = askerIn(house.state(), task, n);
  if (typeof about === 'string') return refusal(409, about);
  const open = openQuestions(house.state());
  const noted = { status: 202, body: { noted: true, run: run.id, task: taskOf(about) } };
  if (open.some((question) => question.text === asked && question.task === taskOf(about))) return noted;
  if (open.length >= MOST_OPEN) return refusal(409, `${MOST_OPEN} questions of this run wait for an answer already`);
  const msg_id = await postQuestion(asked, run.id, house);
  return (await noteQuestion(asked, about, house, { by: 'ralph ask', ...(msg_id !== null && { msg_id }) })) ? noted : refusal(409, 'this run is over');
}

/** The iteration whose agent asks; a sentence when there is none. */
function askerIn({ open, run }: RunState, task: string | null, n: number | null): OpenIteration | string {
  if (!factsOf(run?.settings).hasTasks) return open.at(-1) ?? 'no agent of this run is at work';
  const [only, ...others] = task === null ? open : open.filter(({ currentTask }) => currentTask?.task.id === task);
  if (only === undefined) return 'nobody here works on this task';
  if (others.length > 0) return 'this run works on several tasks, and the request names none';
  const { currentTask } = only;
  return currentTask === null || n === null || currentTask.n === n
    ? only
    : `${currentTask.task.id} is held under number ${currentTask.n}: number ${n} does not count`;
}

function taskOf({ currentTask, turn }: OpenIteration): string | null {
  return currentTask?.task.id ?? turn?.story ?? null;
}

/** A bus that cannot be written is no reason to lose the question. */
async function postQuestion(body: string, run: string, { rooms }: DoorContext): Promise<string | null> {
  if (rooms === null) return null;
  const sender = { project_id: rooms.project, task_id: rooms.task, run_id: run };
  return await rooms.supervision.taskBus.post({ ...sender, type: 'QUESTION', body }).catch(() => null);
}

interface Origin {
  readonly by: string;
  readonly msg_id?: string;
}

async function noteQuestion(text: string, iteration: OpenIteration, { tell }: DoorContext, origin: Origin): Promise<boolean> {
  return await tell({ type: 'question.asked', iteration: iteration.number, story: taskOf(iteration), question: { kind: 'question', text }, ...origin });
}

/** A QUESTION that the agent of a supervised task has posted on its bus is one to a person. */
export async function noteBusQuestion(message: { readonly type: string; readonly body: string }, msg_id: string, house: DoorContext): Promise<void> {
  const asker = house.state().open.at(-1);
  const text = truncateCodePoints(message.body.trim(), LONGEST_QUESTION, '…');
  if (message.type.toUpperCase() !== 'QUESTION' || asker === undefined || text === '' || openQuestions(house.state()).length >= MOST_OPEN) return;
  await noteQuestion(text, asker, house, { by: 'ralph bus', msg_id });
}
