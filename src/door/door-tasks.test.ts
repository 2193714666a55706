import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { given, runStarted } from '../../test/support/given.ts';
import { testSettings } from '../../test/support/run-settings.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState, type OpenIteration, type RunState } from '../journal/state/state.ts';
import type { CurrentTask } from '../journal/state/work-state.ts';
import type { Outcome } from '../journal/words/outcome.ts';
import { openDoor } from './door.ts';

let folder: ThrowAwayFolder;
let path = '';
let state: RunState;
let told: EventBody[];
let isOver = false;
let close: () => Promise<void>;
beforeEach(async () => {
  folder = await openThrowAwayFolder();
  path = join(folder.path, 'a.sock');
  told = [];
  isOver = false;
  state = { ...begun('work'), open: [inWorker(1, 'T-1', 4), inWorker(2, 'T/2 ü', 4)] };
  const door = openDoor(path, () => 5_000)(
    async (event) => {
      if (!isOver) told.push(event);
      return !isOver;
    },
    () => state,
  );
  close = async () => await door[Symbol.asyncDispose]();
  await until('it is open', () => existsSync(path));
});
afterEach(async () => {
  await close();
  await folder[Symbol.asyncDispose]();
});

const begun = (recipe: 'work' | 'supervise') => given(runStarted(testSettings({ recipe }))).reduce(evolve, emptyState);

function inWorker(worker: number, id: string, n: number, change: Partial<CurrentTask> = {}): OpenIteration {
  const currentTask = { task: { id, title: `Title of ${id}` }, n, isClaimed: false, abandonedBecause: null, ...change };
  return { number: worker + 10, worker, openedAtMs: 1_000, currentTask } as unknown as OpenIteration;
}

async function ask(method: 'GET' | 'POST', where: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const asking = request({ socketPath: path, method, path: where });
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await json(response) };
}

const complete = (id: string, body: unknown) => ask('POST', `/v1/tasks/${encodeURIComponent(id)}/complete`, body);
const refused = (error: string) => ({ status: 409, body: { error } });

describe('a request to complete a task', () => {
  it('is journaled, and nothing else happens', async () => {
    expect(await complete('T-1', { n: 4, by: 'me' })).toEqual({ status: 202, body: { noted: true, task: 'T-1', n: 4, run: 'r' } });
    expect(told).toEqual([{ type: 'task.claimed', task: 'T-1', n: 4, by: 'me' }]);
  });

  it('may name any task', async () => {
    expect((await complete('T/2 ü', { n: 4, by: 'me' })).status).toBe(202);
  });

  it('may come twice, and is journaled once', async () => {
    state = { ...state, open: [inWorker(1, 'T-1', 4, { isClaimed: true })] };
    expect((await complete('T-1', { n: 4, by: 'me' })).status).toBe(202);
    expect(told).toEqual([]);
  });

  it('cannot fill the journal with a long name', async () => {
    await complete('T-1', { n: 4, by: 'x'.repeat(100_000) });
    expect(told).toMatchObject([{ by: expect.stringMatching(/^x{199,200}…$/) }]);
  });

  it.each([
    ['an old number', 'T-1', 3, 'T-1 is held under number 4: number 3 does not count'],
    ['a number nobody has yet', 'T-1', 5, 'T-1 is held under number 4: number 5 does not count'],
    ['a task that no lane has', 'T-9', 4, 'nobody here has T-9 in hand'],
  ])('is refused with %s', async (_what, id, n, error) => {
    expect(await complete(id, { n, by: 'me' })).toEqual(refused(error));
    expect(told).toEqual([]);
  });

  it('is refused when the task was abandoned, or the run is over', async () => {
    state = { ...state, open: [inWorker(1, 'T-1', 4, { abandonedBecause: 'somebody else has it' })] };
    expect(await complete('T-1', { n: 4, by: 'me' })).toEqual(refused('T-1 is given up: somebody else has it'));
    state = { ...state, open: [inWorker(1, 'T-1', 4)] };
    isOver = true;
    expect(await complete('T-1', { n: 4, by: 'me' })).toEqual(refused('this run is over'));
    state = { ...state, stopped: {} as Outcome };
    expect(await complete('T-1', { n: 4, by: 'me' })).toEqual(refused('this run is over'));
  });

  it.each([
    ['no number', { by: 'me' }, 'n: Invalid input: expected number, received undefined'],
    ['number 0', { n: 0, by: 'me' }, 'n: Too small: expected number to be >0'],
    ['more than there is to say', { n: 4, by: 'me', force: true }, 'Unrecognized key: "force"'],
  ])('gets one line about what is wrong with %s', async (_what, body, error) => {
    expect(await complete('T-1', body)).toEqual({ status: 400, body: { error } });
  });

  it('is refused by a loop without a plan', async () => {
    state = begun('supervise');
    const none = { status: 404, body: { error: 'this run does not work on a plan: tasks are for `ralph work`' } };
    expect(await complete('T-1', { n: 4, by: 'me' })).toEqual(none);
    expect(await ask('GET', '/v1/tasks')).toEqual(none);
  });

  it.each(['/v1/tasks/T-1', '/v1/tasks/T-1/reset', '/v1/tasks/a/b/complete', '/v1/tasks//complete', '/v1/tasks/%ff/complete'])(
    'finds nothing at %s',
    async (where) => {
      expect((await ask('POST', where, { n: 4, by: 'me' })).status).toBe(404);
      expect(told).toEqual([]);
    },
  );
});

it('shows which tasks are being worked on', async () => {
  expect(await ask('GET', '/v1/tasks')).toEqual({
    status: 200,
    body: {
      tasks: [
        { task: 'T-1', title: 'Title of T-1', n: 4, lane: 1, iteration: 11, since: 1_000, claimed: false },
        { task: 'T/2 ü', title: 'Title of T/2 ü', n: 4, lane: 2, iteration: 12, since: 1_000, claimed: false },
      ],
    },
  });
});

describe('a question of an agent', () => {
  const question = (body: unknown) => ask('POST', '/v1/questions', body);
  const asked = (text: string, story = 'T-1') => ({ type: 'question.asked', iteration: 11, story, question: { kind: 'question', text }, by: 'ralph ask' });

  it('is journaled with its task, once, however often it is asked', async () => {
    expect(await question({ text: ' Which account? ', task: 'T-1', n: 4 })).toEqual({ status: 202, body: { noted: true, run: state.run?.id, task: 'T-1' } });
    expect(told).toEqual([asked('Which account?')]);
    state = [{ v: 1, seq: 2, at: 2_000, body: told[0] as EventBody }].reduce(evolve, state);
    expect(await question({ text: 'Which account?', task: 'T-1', n: 4 })).toMatchObject({ status: 202 });
    expect(told).toHaveLength(1);
  });

  it('is cut when it is endless, and refused when it asks nothing', async () => {
    await question({ text: 'a'.repeat(5_000), task: 'T-1', n: 4 });
    expect(told).toMatchObject([{ question: { text: expect.stringMatching(/^a{1,2000}…$/) } }]);
    expect(await question({ text: ' ?! ', task: 'T-1', n: 4 })).toEqual({ status: 400, body: { error: 'the question is empty' } });
  });

  it.each<[string, object, string]>([
    ['of a task that nobody has here', { task: 'T-9', n: 1 }, 'nobody here works on this task'],
    ['under an old number', { task: 'T-1', n: 3 }, 'T-1 is held under number 4: number 3 does not count'],
    ['without a task, when there are several', {}, 'this run works on several tasks, and the request names none'],
  ])('is refused: %s', async (_what, request, error) => {
    expect(await question({ text: 'Which?', ...request })).toEqual(refused(error));
    expect(told).toEqual([]);
  });

  it('is refused when the run is over, or has more open questions than anybody answers', async () => {
    isOver = true;
    expect(await question({ text: 'Which?', task: 'T-1', n: 4 })).toEqual(refused('this run is over'));
    isOver = false;
    const many = Array.from({ length: 20 }, (_, at) => ({ v: 1, seq: at + 2, at: 2_000, body: asked(`${at}`) as EventBody }));
    state = many.reduce(evolve, state);
    expect(await question({ text: 'one more', task: 'T-1', n: 4 })).toEqual(refused('20 questions of this run wait for an answer already'));
  });
});
