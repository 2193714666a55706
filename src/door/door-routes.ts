import type { IncomingMessage } from 'node:http';
import type { Bus } from '../engine/ports/supervision.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import { runView } from '../report/views/run-view.ts';
import { factsOf } from '../settings/schema/recipe-facts.ts';
import {
  type Answer,
  type DoorContext,
  type ReadBody,
  readJsonBody,
  refusal,
  type SerializedAnswer,
  type SupervisorDoor,
  serializeAnswer,
} from './door-context.ts';
import {
  askPerson,
  BusPostRequest,
  BusReadRequest,
  CompletionRequest,
  JobRequest,
  jobStatus,
  noteBusQuestion,
  QuestionRequest,
  requestJob,
} from './door-requests.ts';
import { HOOK_NAMES, isHookName } from './hooks/hook-input.ts';

const JOB = /^\/v1\/jobs\/([A-Za-z0-9][A-Za-z0-9._-]*)$/;

const NO_ROOMS = refusal(404, 'this run has no task folder: jobs and messages are for `ralph supervise` and `ralph job`');

/** Answers a request. Every problem with a request is an answer too. */
export async function answerTo(request: IncomingMessage, house: DoorContext): Promise<SerializedAnswer> {
  try {
    return serializeAnswer(await route(request, house));
  } catch (error) {
    return serializeAnswer(refusal(500, error instanceof Error ? error.message : String(error)));
  }
}

async function route(request: IncomingMessage, house: DoorContext): Promise<Answer> {
  const url = urlOf(request);
  if (url === null) return refusal(400, 'this is not a valid path');
  if (request.method === 'POST') return await answerPost(url.pathname, request, house);
  request.resume();
  return request.method === 'GET' ? await answerGet(url, house) : refusal(405, 'only GET and POST are answered here');
}

function urlOf({ url = '/' }: IncomingMessage): URL | null {
  return URL.canParse(url, 'http://door') ? new URL(url, 'http://door') : null;
}

async function answerGet({ pathname, searchParams }: URL, house: DoorContext): Promise<Answer> {
  const { rooms } = house;
  if (pathname === '/v1/status') return { status: 200, body: statusOf(house) };
  if (pathname === '/v1/tasks') return answerTasks(house);
  if (!pathname.startsWith('/v1/jobs/') && pathname !== '/v1/bus') return notFound(pathname);
  if (rooms === null) return NO_ROOMS;
  if (pathname === '/v1/bus') return await valid(BusReadRequest, Object.fromEntries(searchParams), (wanted) => readFromBus(wanted, rooms));
  const run = JOB.exec(pathname)?.[1];
  return (run === undefined ? null : await jobStatus(run, house, rooms)) ?? refusal(404, 'there is no such job');
}

function statusOf({ state, nowMs }: DoorContext): unknown {
  return state().run ? runView(state(), nowMs()) : { status: 'starting' };
}

/** The body is always read, because the sender waits until it is. */
async function answerPost(pathname: string, request: IncomingMessage, house: DoorContext): Promise<Answer> {
  const body = await readJsonBody(request);
  const { rooms } = house;
  if (isAboutTasks(pathname)) return await postedTask(pathname, body, house);
  if (isAboutHooks(pathname)) return await answerTheHook(pathname, body, house);
  if (pathname === '/v1/questions') return body.kind === 'refused' ? body.answer : await valid(QuestionRequest, body.value, (asked) => askPerson(asked, house));
  if (pathname !== '/v1/jobs' && pathname !== '/v1/bus') return notFound(pathname);
  if (rooms === null) return NO_ROOMS;
  if (body.kind === 'refused') return body.answer;
  return await withRooms(pathname, body.value, house, rooms);
}

async function postedTask(pathname: string, body: ReadBody, house: DoorContext): Promise<Answer> {
  const task = completedIn(pathname);
  if (task === null) return notFound(pathname);
  if (body.kind === 'refused') return body.answer;
  return await valid(CompletionRequest, body.value, (asked) => noteCompletion(task, asked, house));
}

async function withRooms(pathname: '/v1/jobs' | '/v1/bus', value: unknown, house: DoorContext, rooms: SupervisorDoor): Promise<Answer> {
  return pathname === '/v1/jobs'
    ? await valid(JobRequest, value, (job) => requestJob(job, house, rooms))
    : await valid(BusPostRequest, value, (message) => postToBus(message, house, rooms));
}

function notFound(pathname: string): Answer {
  return refusal(404, `there is nothing at ${pathname.slice(0, 100)}; use /v1/status, /v1/tasks, /v1/questions, /v1/jobs or /v1/bus`);
}

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** One line about the first problem. */
async function valid<T>(schema: Schema<T>, value: unknown, answer: (value: T) => Promise<Answer>): Promise<Answer> {
  const read = schema.safeParse(value);
  if (read.success) return await answer(read.data);
  const [issue] = read.error.issues;
  const where = issue?.path.map(String).join('.');
  return refusal(400, `${where ? `${where}: ` : ''}${issue?.message ?? 'this cannot be read'}`);
}

const HOOKS = '/v1/hooks/';
const NO_STORIES = refusal(404, 'this run does not work on stories and answers no hooks');

const isAboutHooks = (pathname: string): boolean => pathname.startsWith(HOOKS);

/** Answers a hook of the agent with the text that the hook prints, which may be empty. */
async function answerTheHook(pathname: string, body: ReadBody, { hooks }: DoorContext): Promise<Answer> {
  if (hooks === null) return NO_STORIES;
  const name = pathname.slice(HOOKS.length);
  if (!isHookName(name)) return refusal(404, `there is no such hook; use ${HOOK_NAMES.join(', ')}`);
  if (body.kind === 'refused') return body.answer;
  const answer = await hooks(name, body.value);
  return answer === null ? { status: 204, body: undefined } : { status: 200, body: answer };
}

/** Posts a message, and fills in its project, task and run. */
async function postToBus({ bus, ...message }: BusPostRequest, house: DoorContext, rooms: SupervisorDoor): Promise<Answer> {
  const run = house.state().run?.id;
  const sender = { project_id: rooms.project, task_id: rooms.task, ...(run === undefined ? {} : { run_id: run }) };
  const msg_id = await busNamed(bus, rooms).post({ ...sender, ...message, project_id: message.project_id ?? rooms.project });
  if (bus === 'task') await noteBusQuestion(message, msg_id, house);
  return { status: 201, body: { msg_id } };
}

/** The most bytes in one answer. Whoever wants more can read the file. */
const MOST_BYTES = 4 * 1024 * 1024;

/** With `tail`, as many of the last messages as fit; with `since`, all messages or none. */
async function readFromBus({ bus, tail, since }: BusReadRequest, rooms: SupervisorDoor): Promise<Answer> {
  const source = busNamed(bus, rooms);
  if (since === null) return { status: 200, body: { messages: await source.last(tail, MOST_BYTES) } };
  const bytes = await source.bytesSince(since);
  if (bytes !== null && bytes > MOST_BYTES) return refusal(413, `more than ${MOST_BYTES} bytes have come since; read them in ${source.path}`);
  const later = bytes === null ? null : await source.since(since);
  return later === null ? refusal(404, `since id ${since} not found`) : { status: 200, body: { messages: later } };
}

function busNamed(bus: 'task' | 'project', { supervision: { taskBus, projectBus } }: SupervisorDoor): Bus {
  return bus === 'task' ? taskBus : projectBus;
}

const NO_PLAN = refusal(404, 'this run does not work on a plan: tasks are for `ralph work`');
const COMPLETE = /^\/v1\/tasks\/([^/]+)\/complete$/;
/** Enough for any name; a longer one would fill the journal. */
const LONGEST_NAME = 200;

const isAboutTasks = (pathname: string): boolean => pathname === '/v1/tasks' || pathname.startsWith('/v1/tasks/');

/** The task that somebody reports as complete; null when the path is another one. */
function completedIn(pathname: string): string | null {
  const written = COMPLETE.exec(pathname)?.[1];
  if (written === undefined) return null;
  try {
    return decodeURIComponent(written);
  } catch {
    return null;
  }
}

/** The tasks that this loop's workers work on. */
function answerTasks({ state }: DoorContext): Answer {
  const { run, open } = state();
  if (!factsOf(run?.settings).hasTasks) return NO_PLAN;
  const tasks = open.flatMap(({ currentTask: held, worker, number, openedAtMs }) =>
    held === null
      ? []
      : [{ task: held.task.id, title: held.task.title, n: held.n, lane: worker, iteration: number, since: openedAtMs, claimed: held.isClaimed }],
  );
  return { status: 200, body: { tasks } };
}

/** Records that somebody calls a task complete, and nothing else. The loop checks the proof once the agent has ended. */
async function noteCompletion(task: string, { n, by }: CompletionRequest, { state, tell }: DoorContext): Promise<Answer> {
  const { run, open, stopped } = state();
  if (!factsOf(run?.settings).hasTasks) return NO_PLAN;
  if (stopped !== null) return refusal(409, 'this run is over');
  const held = open.find((iteration) => iteration.currentTask?.task.id === task)?.currentTask ?? null;
  if (held === null) return refusal(409, `nobody here has ${truncateCodePoints(task, LONGEST_NAME, '…')} in hand`);
  if (held.n !== n) return refusal(409, `${task} is held under number ${held.n}: number ${n} does not count`);
  if (held.abandonedBecause !== null) return refusal(409, `${task} is given up: ${held.abandonedBecause}`);
  const isNoted = held.isClaimed || (await tell({ type: 'task.claimed', task, n, by: truncateCodePoints(by, LONGEST_NAME, '…') }));
  return isNoted ? { status: 202, body: { noted: true, task, n, run: run?.id } } : refusal(409, 'this run is over');
}
