import type { IncomingMessage } from 'node:http';
import { runView } from '../report/views/run-view.ts';
import { BusAsked, BusWanted, JobAsked } from '../journal/door-request.ts';
import { postForThem, readForThem } from './door-bus.ts';
import { answerTheHook, isAboutHooks } from './door-hooks.ts';
import { askForAJob, tellOfAJob } from './door-jobs.ts';
import { type Answer, type ReadBody, readJsonBody, refusal, type SaidAnswer, say } from './door-requests.ts';
import type { DoorRooms, House } from './door-rooms.ts';
import { CompletionAsked, completedIn, isAboutTasks, noteCompletion, tellOfTasks } from './door-tasks.ts';

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
