import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSecretHider } from '../../src/kit/pure/hide-secrets.ts';
import type { Action } from '../../src/web/server/action.ts';
import { openApp } from '../../src/web/server/app.ts';
import { readAsset } from '../../src/web/server/assets.ts';
import { openCleanJson } from '../../src/web/server/clean-json.ts';
import { type Listening, listen } from '../../src/web/server/listen.ts';
import { openProject } from '../../src/web/server/project.ts';
import { journalPath } from './recorded-journals.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';

export const TOKEN = 'the-right-token';
export const HOST = '127.0.0.1:4747';
export const COOKIE = `ralph-ui-4747=${TOKEN}`;

/** The server of `ralph ui` over a folder of runs, asked without a socket, or by a browser. */
export interface UiStage extends AsyncDisposable {
  readonly runsFolder: string;
  /** The project, which holds the folder of runs. */
  readonly path: string;
  /** What was carried out. */
  readonly actions: Action[];
  /** As the page asks; headers are added to those of a browser that has the key. */
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  json<T>(path: string): Promise<T>;
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Serves the built page, too, until the stage is disposed; returns its address. 0: at any port. */
  serve(port?: number): Promise<string>;
  /** Ends the server and all its connections. */
  stopServing(): Promise<void>;
  /** A run with a journal that the real program has written. */
  addRecorded(run: string, journal: string): Promise<string>;
}

interface Props {
  readonly readOnly?: boolean;
  readonly host?: string;
  readonly secrets?: readonly string[];
  readonly patchOf?: (run: string) => string;
}

export async function openUiStage({ readOnly = false, host = '127.0.0.1', secrets = [], patchOf = (run) => `patch of ${run}` }: Props = {}): Promise<UiStage> {
  const folder = await openThrowAwayFolder();
  const runsFolder = join(folder.path, 'runs');
  await mkdir(runsFolder);
  const control = new AbortController();
  let served: Listening | null = null;
  const actions: Action[] = [];
  const project = openProject({ name: 'p', folders: async () => [{ runsFolder, cwd: folder.path }], quotaFolder: null, readOnly });
  const app = openApp({
    access: { token: TOKEN, host, port: () => served?.port ?? 4747 },
    project,
    toJson: openCleanJson(openSecretHider(secrets)),
    asset: (name) => (served !== null ? readAsset(name) : name === 'index.html' ? { content: '<!doctype html>', type: 'text/html' } : null),
    act: readOnly ? null : async (action) => `carried out ${actions.push(action)}`,
    patchOf: async (run) => patchOf(run),
    signal: control.signal,
  });
  const ask = async (path: string, headers = {}) => app.request(path, { headers: { host: HOST, cookie: COOKIE, ...headers } });
  return {
    ...{ runsFolder, actions, ask, path: folder.path },
    async stopServing() {
      await served?.[Symbol.asyncDispose]();
    },
    async serve(port = 0) {
      served = await listen(app.fetch, host, port);
      return `http://${host}:${served.port}/?token=${TOKEN}`;
    },
    json: async <T>(path: string) => (await (await ask(path)).json()) as T,
    post: async (body, headers = {}) =>
      app.request('/api/actions', {
        method: 'POST',
        headers: { host: HOST, cookie: COOKIE, origin: `http://${HOST}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async addRecorded(run, journal) {
      await mkdir(join(runsFolder, run));
      await copyFile(journalPath(journal), join(runsFolder, run, 'journal.jsonl'));
      return join(runsFolder, run);
    },
    async [Symbol.asyncDispose]() {
      control.abort();
      await served?.[Symbol.asyncDispose]();
      project[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
