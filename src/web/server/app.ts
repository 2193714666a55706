import { type Context, Hono, type Next } from 'hono';
import { linkSignal } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Ends } from '../view/changes.ts';
import { type Access, cookieOf, hasCookie, isToken, refusalOf, SAFE_HEADERS } from './access.ts';
import { type Action, actionIn } from './action.ts';
import type { ToJson } from './clean-json.ts';
import type { Project } from './project.ts';
import { streamEvents } from './stream.ts';

/** What the server is made of. Whatever touches more than journals is given to it. */
export interface AppParts {
  readonly access: Access;
  readonly project: Project;
  readonly toJson: ToJson;
  /** Null: there is no such file. */
  readonly asset: (name: string) => Asset | null;
  /** Carries an action out and returns what became of it, in one line. Null: `--read-only`. */
  readonly act: ((action: Action, cwd: string) => Promise<string>) | null;
  /** The changes of a run as a patch, or those between two states of its files. */
  readonly patchOf: (run: string, cwd: string, ends: Ends | null) => Promise<string>;
  /** Ends the streams when the server ends. */
  readonly signal: AbortSignal;
}

export interface Asset {
  readonly content: string;
  readonly type: string;
}

/** An answer may have 64 kB. */
const MOST_BODY_CHARS = 100_000;

export function openApp(parts: AppParts): Hono {
  const { access, asset } = parts;
  const app = new Hono();
  app.use(async (c, next) => {
    await guarded(c, next, access);
    for (const [name, value] of Object.entries(SAFE_HEADERS)) c.res.headers.set(name, value);
  });
  app.get('/assets/:name', (c) => {
    const found = asset(c.req.param('name'));
    return found === null ? c.text('There is no such file.', 404) : c.body(found.content, 200, { 'Content-Type': found.type });
  });
  app.get('/', (c) => {
    const isInvited = isToken(access, c.req.query('token') ?? '');
    if (!isInvited && !hasCookie(access, c.req.header('cookie') ?? null)) return c.text(NOT_INVITED, 401);
    if (isInvited) c.header('Set-Cookie', cookieOf(access));
    return c.html(asset('index.html')?.content ?? '');
  });
  app.use('/api/*', async (c, next) => {
    if (hasCookie(access, c.req.header('cookie') ?? null)) return await next();
    return c.json({ error: NOT_INVITED }, 401);
  });
  addViews(app, parts);
  addActions(app, parts);
  app.notFound((c) => c.json({ error: 'There is nothing here.' }, 404));
  app.onError((error, c) => (error instanceof OperatorError ? c.json({ error: sentence(error) }, 409) : c.json({ error: `It failed: ${error.message}` }, 500)));
  return app;
}

const NOT_INVITED = 'Open the address that ralph ui has printed: it contains the key to this page.';

const sentence = ({ message, hint }: OperatorError) => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.${hint ? ` ${hint}` : ''}`;

async function guarded(c: Context, next: Next, access: Access): Promise<void> {
  const header = (name: string) => c.req.header(name) ?? null;
  const asked = { method: c.req.method, host: header('host'), origin: header('origin'), site: header('sec-fetch-site'), cookie: header('cookie') };
  // Somebody may follow the printed address from another page; nothing is told without the token that is in it.
  const isDoor = c.req.path === '/' && c.req.method === 'GET';
  const why = refusalOf(access, isDoor ? { ...asked, site: null } : asked);
  if (why === null) await next();
  else c.res = c.json({ error: why }, 403);
}

function addViews(app: Hono, { project, toJson, patchOf, signal }: AppParts): void {
  const json = (c: Context, value: unknown) => c.body(toJson(value), 200, { 'Content-Type': 'application/json' });
  const unknown = (c: Context) => c.json({ error: 'There is no such run.' }, 404);

  app.get('/api/overview', async (c) => json(c, await project.overview(Date.now())));
  app.get('/api/history', async (c) => json(c, await project.history(Date.now())));
  app.get('/api/runs/:run', async (c) => {
    const followed = await project.run(c.req.param('run'), Date.now());
    const seq = positive(c.req.query('seq'));
    const page = seq === null ? await followed?.page(Date.now()) : await followed?.pageAt(seq);
    return page ? json(c, page) : unknown(c);
  });
  app.get('/api/runs/:run/iterations/:iteration', async (c) => {
    const followed = await project.run(c.req.param('run'), Date.now());
    const page = await followed?.iteration(positive(c.req.param('iteration')) ?? 0, positive(c.req.query('seq')));
    return page ? json(c, page) : unknown(c);
  });
  app.get('/api/runs/:run/diff', async (c) => {
    const run = c.req.param('run');
    const followed = await project.run(run, Date.now());
    const cwd = project.placeOf(run);
    if (followed === null || cwd === null) return unknown(c);
    const iteration = positive(c.req.query('iteration'));
    const ends = await followed.ends(iteration);
    if (ends === null && iteration !== null) return c.json({ error: 'Nobody has kept what this iteration changed.' }, 404);
    return json(c, { ansi: await patchOf(run, cwd, ends) });
  });
  app.get('/api/stream', (c) => {
    const request = {
      run: c.req.query('run') ?? null,
      iteration: positive(c.req.query('iteration')),
      task: c.req.query('task') ?? null,
      lastId: c.req.header('last-event-id') ?? null,
    };
    const bytes = new TextEncoder();
    // Ends the polling at once when the page is closed.
    const linked = linkSignal(signal);
    const events = streamEvents(project, request, toJson, linked.signal);
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await events.next();
        if (done) {
          linked[Symbol.dispose]();
          controller.close();
        } else controller.enqueue(bytes.encode(value));
      },
      async cancel() {
        linked.abort('closed');
        linked[Symbol.dispose]();
        await events.return();
      },
    });
    return c.body(body, 200, { 'Content-Type': 'text/event-stream' });
  });
}

/** Null: absent, or no positive whole number. */
function positive(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

function addActions(app: Hono, { project, act }: AppParts): void {
  app.post('/api/actions', async (c) => {
    if (act === null) return c.json({ error: 'This page only shows: ralph ui was started with --read-only.' }, 403);
    if (c.req.header('content-type') !== 'application/json') return c.json({ error: 'An action is JSON.' }, 415);
    const text = await c.req.text();
    const action = text.length > MOST_BODY_CHARS ? null : actionIn(text);
    if (action === null) return c.json({ error: 'This is no action that ralph ui knows.' }, 400);
    await project.run(action.run, Date.now());
    const cwd = project.placeOf(action.run);
    if (cwd === null) return c.json({ error: 'There is no such run.' }, 404);
    return c.json({ message: await act(action, cwd) });
  });
}
