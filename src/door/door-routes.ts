import type { IncomingMessage } from 'node:http';
import type { Bus } from '../engine/ports/supervision.ts';
import { truncateCodePoints } from '../kit/pure/text.ts';
import { runView } from '../report/views/run-view.ts';
import { BusAsked, BusWanted, CompletionAsked, JobAsked } from './door-asked.ts';
import { askForAJob, tellOfAJob } from './door-jobs.ts';
import { type Answer, type DoorRooms, type House, type ReadBody, readJsonBody, refusal, type SaidAnswer, say } from './door-rooms.ts';
import { HOOK_NAMES, isHookName } from './hooks/hook-input.ts';

const JOB = /^\/v1\/jobs\/([A-Za-z0-9][A-Za-z0-9._-]*)$/;

const NO_ROOMS = refusal(404, 'this run has no task folder: jobs and messages are for `ralph supervise` and `ralph job`');

/** What a request is answered with. Everything that can be wrong with one is an answer too. */
export async function answerTo(request: IncomingMessage, house: House): Promise<SaidAnswer> {
  try {
    return say(await route(request, house));
  } catch (error) {
    return say(refusal(500, error instanceof Error ? error.message : String(error)));
  }
}

async function route(request: IncomingMessage, house: House): Promise<Answer> {
  const url = urlOf(request);
  if (url === null) return refusal(400, 'this is no path');
  if (request.method === 'POST') return await posted(url.pathname, request, house);
  request.resume();
  return request.method === 'GET' ? await got(url, house) : refusal(405, 'only GET and POST are answered here');
}

function urlOf({ url = '/' }: IncomingMessage): URL | null {
  return URL.canParse(url, 'http://door') ? new URL(url, 'http://door') : null;
}

async function got({ pathname, searchParams }: URL, house: House): Promise<Answer> {
  const { rooms } = house;
  if (pathname === '/v1/status') return { status: 200, body: statusOf(house) };
  if (pathname === '/v1/tasks') return tellOfTasks(house);
  if (!pathname.startsWith('/v1/jobs/') && pathname !== '/v1/bus') return nothingThere(pathname);
  if (rooms === null) return NO_ROOMS;
  if (pathname === '/v1/bus') return await valid(BusWanted, Object.fromEntries(searchParams), (wanted) => readForThem(wanted, rooms));
  const run = JOB.exec(pathname)?.[1];
  return (run === undefined ? null : await tellOfAJob(run, house, rooms)) ?? refusal(404, 'there is no such job');
}

function statusOf({ state, nowMs }: House): unknown {
  return state().run ? runView(state(), nowMs()) : { status: 'starting' };
}

/** The body is read in any case: whoever sends one waits until it is. */
async function posted(pathname: string, request: IncomingMessage, house: House): Promise<Answer> {
  const body = await readJsonBody(request);
  const { rooms } = house;
  if (isAboutTasks(pathname)) return await postedTask(pathname, body, house);
  if (isAboutHooks(pathname)) return await answerTheHook(pathname, body, house);
  if (pathname !== '/v1/jobs' && pathname !== '/v1/bus') return nothingThere(pathname);
  if (rooms === null) return NO_ROOMS;
  if (body.kind === 'refused') return body.answer;
  return await inRoom(pathname, body.value, house, rooms);
}

async function postedTask(pathname: string, body: ReadBody, house: House): Promise<Answer> {
  const task = completedIn(pathname);
  if (task === null) return nothingThere(pathname);
  if (body.kind === 'refused') return body.answer;
  return await valid(CompletionAsked, body.value, (asked) => noteCompletion(task, asked, house));
}

async function inRoom(pathname: '/v1/jobs' | '/v1/bus', value: unknown, house: House, rooms: DoorRooms): Promise<Answer> {
  return pathname === '/v1/jobs'
    ? await valid(JobAsked, value, (job) => askForAJob(job, house, rooms))
    : await valid(BusAsked, value, (message) => postForThem(message, house, rooms));
}

function nothingThere(pathname: string): Answer {
  return refusal(404, `nothing is at ${pathname.slice(0, 100)}; ask for /v1/status, /v1/tasks, /v1/jobs or /v1/bus`);
}

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { readonly issues: readonly Issue[] } };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** One line for the first thing that is wrong. */
async function valid<T>(schema: Schema<T>, value: unknown, answer: (value: T) => Promise<Answer>): Promise<Answer> {
  const read = schema.safeParse(value);
  if (read.success) return await answer(read.data);
  const [issue] = read.error.issues;
  const where = issue?.path.map(String).join('.');
  return refusal(400, `${where ? `${where}: ` : ''}${issue?.message ?? 'this cannot be read'}`);
}

const HOOKS = '/v1/hooks/';
const NO_STORIES = refusal(404, 'this run works on no stories: nobody here answers hooks');

const isAboutHooks = (pathname: string): boolean => pathname.startsWith(HOOKS);

/** What a hook of the agent asks; the answer is what the hook prints, and may be nothing. */
async function answerTheHook(pathname: string, body: ReadBody, { hooks }: House): Promise<Answer> {
  if (hooks === null) return NO_STORIES;
  const name = pathname.slice(HOOKS.length);
  if (!isHookName(name)) return refusal(404, `there is no such hook; ask for ${HOOK_NAMES.join(', ')}`);
  if (body.kind === 'refused') return body.answer;
  const answer = await hooks(name, body.value);
  return answer === null ? { status: 204, body: undefined } : { status: 200, body: answer };
}

/** Posts a message for somebody who need not say whose it is. */
async function postForThem({ bus, ...message }: BusAsked, { state }: House, rooms: DoorRooms): Promise<Answer> {
  const run = state().run?.id;
  const whose = { project_id: rooms.project, task_id: rooms.task, ...(run === undefined ? {} : { run_id: run }) };
  const msg_id = await busNamed(bus, rooms).post({ ...whose, ...message, project_id: message.project_id ?? rooms.project });
  return { status: 201, body: { msg_id } };
}

/** What is told at once. Who wants more has the file. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Of the last ones only as many as can be told; of those after one all, or none. */
async function readForThem({ bus, tail, since }: BusWanted, rooms: DoorRooms): Promise<Answer> {
  const source = busNamed(bus, rooms);
  if (since === null) return { status: 200, body: { messages: await source.last(tail, MOST_BYTES) } };
  const bytes = await source.bytesSince(since);
  if (bytes !== null && bytes > MOST_BYTES) return refusal(413, `more than ${MOST_BYTES} bytes have come since; read them in ${source.path}`);
  const later = bytes === null ? null : await source.since(since);
  return later === null ? refusal(404, `since id ${since} not found`) : { status: 200, body: { messages: later } };
}

function busNamed(bus: 'task' | 'project', { supervision: { taskBus, projectBus } }: DoorRooms): Bus {
  return bus === 'task' ? taskBus : projectBus;
}

const NO_PLAN = refusal(404, 'this run works on no plan: tasks are for `ralph work`');
const COMPLETE = /^\/v1\/tasks\/([^/]+)\/complete$/;
/** Room for any name; what is longer fills the journal. */
const LONGEST_NAME = 200;

/** Whether it is about tasks at all. */
const isAboutTasks = (pathname: string): boolean => pathname === '/v1/tasks' || pathname.startsWith('/v1/tasks/');

/** The task that somebody wants to be noted as complete; null when the path says something else. */
function completedIn(pathname: string): string | null {
  const written = COMPLETE.exec(pathname)?.[1];
  if (written === undefined) return null;
  try {
    return decodeURIComponent(written);
  } catch {
    return null;
  }
}

/** What the lanes of this loop have in hand. */
function tellOfTasks({ state }: House): Answer {
  const { run, open } = state();
  if (run?.settings.recipe !== 'work') return NO_PLAN;
  const tasks = open.flatMap(({ hand, lane, number, openedAtMs }) =>
    hand === null ? [] : [{ task: hand.task.id, title: hand.task.title, n: hand.n, lane, iteration: number, since: openedAtMs, claimed: hand.isClaimed }],
  );
  return { status: 200, body: { tasks } };
}

/** Notes that somebody calls a task complete. That is all it does: what proves it is looked at by the loop, once the agent has ended. */
async function noteCompletion(task: string, { n, by }: CompletionAsked, { state, tell }: House): Promise<Answer> {
  const { run, open, stopped } = state();
  if (run?.settings.recipe !== 'work') return NO_PLAN;
  if (stopped !== null) return refusal(409, 'this run is over');
  const hand = open.find((iteration) => iteration.hand?.task.id === task)?.hand ?? null;
  if (hand === null) return refusal(409, `nobody here has ${truncateCodePoints(task, LONGEST_NAME, '…')} in hand`);
  if (hand.n !== n) return refusal(409, `${task} is held under number ${hand.n}: number ${n} does not count`);
  if (hand.givenUp !== null) return refusal(409, `${task} is given up: ${hand.givenUp}`);
  const isNoted = hand.isClaimed || (await tell({ type: 'task.claimed', task, n, by: truncateCodePoints(by, LONGEST_NAME, '…') }));
  return isNoted ? { status: 202, body: { noted: true, task, n, run: run.id } } : refusal(409, 'this run is over');
}
