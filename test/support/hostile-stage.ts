import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameAuthor } from './committing-stage.ts';
import { FILES_OF_RUN, type HostilePlace, SECRET_FILES, secretOf, writesIn } from './hostile-place.ts';
import { gotThrough } from './hostile-verdict.ts';
import { processesOf } from './processes-of.ts';
import { cleanEnv, type RunningRalph, startRalph } from './ralph.ts';
import { openRepo, type Repo } from './repo.ts';
import { useSharedTemporaryFolder } from './shared-temporary-folder.ts';
import { type EndedRun, endOf } from './stage.ts';
import { until } from './until.ts';

/** A repository, a home full of secrets, another repository, servers, and an agent that wants all of it. */
export interface HostileStage extends AsyncDisposable {
  readonly repo: Repo;
  readonly home: string;
  readonly sibling: string;
  readonly place: HostilePlace;
  /** The words that name the agent, and the same as a command of its own. */
  readonly agent: readonly string[];
  readonly command: readonly string[];
  /** Tells the agent something else from now on. */
  tell(changes: Partial<HostilePlace>): Promise<void>;
  begin(...args: readonly string[]): RunningRalph;
  ralph(...args: readonly string[]): Promise<EndedRun>;
  /** The same agent, gate and hook without Ralph. */
  alone(): Promise<void>;
  /** The tricks that worked, as seen from outside; the agent worked in that folder. */
  through(where?: string): Promise<readonly string[]>;
  /** How often somebody came to one of the servers. */
  visits(): number;
}

export interface HostileProps {
  readonly settings?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Where Ralph is started, below the repository. */
  readonly below?: string;
}

export const VARIABLE = 'DEPLOY_TOKEN';
export const SECRET_VALUE = secretOf('the variables');
const AGENT = fileURLToPath(new URL('./hostile-agent.mjs', import.meta.url));
const SHORT_GRACE = { shutdownGrace: { sigterm: '1s', sigint: '1s' } };

export async function openHostileStage({ settings = {}, files = {}, env = {}, below = '' }: HostileProps = {}): Promise<HostileStage> {
  const temporary = await useSharedTemporaryFolder();
  const repo = await openRepo({
    'check.sh': 'exit 0\n',
    '.ralph/settings.json': JSON.stringify({ ...SHORT_GRACE, ...settings }),
    '.husky/pre-commit': '',
    ...files,
  });
  nameAuthor(repo);
  repo.git('config', 'core.hooksPath', '.husky');
  const [home, sibling] = [join(repo.beside, 'home'), join(repo.beside, 'sibling')];
  await furnish(home, sibling);
  // The path of a socket has a length limit.
  const runtime = await mkdtemp('/tmp/ralph-rt-');
  const mark = `HOSTILE-${randomUUID().slice(0, 8)}`;
  const servers = await openServers(join(home, 'agent.sock'), `\0${mark}`);
  let place: HostilePlace = {
    mark,
    main: repo.path,
    reads: Object.fromEntries(Object.entries(SECRET_FILES).map(([trick, file]) => [trick, join(home, file)])),
    writes: writesIn({ home, sibling, main: repo.path, gitDir: join(repo.path, '.git') }),
    ofRun: FILES_OF_RUN,
    linked: { symbolic: join(home, 'linked-1'), hard: join(home, 'linked-2'), byLoop: join(home, 'linked-3') },
    network: { port: servers.port, otherHost: '127.0.0.2', otherPort: servers.otherPort, socket: join(home, 'agent.sock') },
    traps: { gate: join(home, 'by-gate'), hook: join(home, 'by-hook') },
    victim: null,
    killWith: 'SIGKILL',
    go: join(repo.beside, 'go'),
    work: '',
  };
  const placeFile = join(repo.beside, 'place.json');
  const tell = async (changes: Partial<HostilePlace>) => {
    place = { ...place, ...changes };
    await writeFile(placeFile, JSON.stringify(place));
  };
  await tell({});
  const variables = { HOME: home, XDG_RUNTIME_DIR: runtime, RALPH_SANDBOX: 'auto', IS_SANDBOX: '1', [VARIABLE]: SECRET_VALUE, ...env };
  const begin = (...args: readonly string[]) => startRalph(args, { cwd: join(repo.path, below), env: variables, withinMs: 150_000 });
  const processes = () => processesOf(dirname(repo.path));
  return {
    ...{ repo, home, sibling, tell, begin },
    get place() {
      return place;
    },
    agent: ['--agent', `node ${AGENT} ${placeFile}`],
    command: ['--', 'node', AGENT, placeFile],
    // A separate process, because the agent tries to kill its parent.
    ralph: (...args) => endOf(begin(...args)),
    async alone() {
      await makeRun(repo);
      const victim = spawn('sleep', ['600'], { env: cleanEnv(home, variables), stdio: 'ignore' });
      await tell({ victim: victim.pid ?? null });
      const agent = spawn(process.execPath, [AGENT, placeFile], { cwd: repo.path, env: cleanEnv(home, variables), stdio: ['ignore', 'ignore', 'inherit'] });
      await once(agent, 'close');
      const commit = 'mv .git/commondir .git/commondir.kept; git add -A && git commit -qm work';
      for (const line of ['sh check.sh', commit])
        await once(spawn('sh', ['-c', line], { cwd: repo.path, env: cleanEnv(home, variables), stdio: 'inherit' }), 'close');
      victim.kill('SIGKILL');
    },
    async through(where = repo.path) {
      await writeFile(place.go, '');
      await until('what was left running has come to its end', () => processes().length === 0 || hasText(join(where, 'late.txt')));
      return await gotThrough(place, { where, repo, secretValue: SECRET_VALUE });
    },
    visits: servers.visits,
    async [Symbol.asyncDispose]() {
      temporary[Symbol.dispose]();
      await servers.close();
      for (const { pid } of processes()) kill(pid);
      for (const file of [...Object.values(place.writes).filter((path) => path.startsWith('/etc/')), runtime]) await rm(file, { recursive: true, force: true });
      await repo[Symbol.asyncDispose]();
    },
  };
}

async function furnish(home: string, sibling: string): Promise<void> {
  const keep = async (file: string, text: string) => {
    await mkdir(dirname(join(home, file)), { recursive: true });
    await writeFile(join(home, file), text);
  };
  for (const [trick, file] of Object.entries(SECRET_FILES)) await keep(file, `${secretOf(trick)}\n`);
  for (const file of ['.claude.json', '.claude/settings.json']) await keep(file, '{}\n');
  for (const file of ['.bashrc', 'linked-1', 'linked-2', 'linked-3']) await keep(file, '');
  await mkdir(join(sibling, '.git/hooks'), { recursive: true });
  await writeFile(join(sibling, 'readme.txt'), 'hello\n');
}

/** What a run leaves, for the agent that is alone. */
async function makeRun(repo: Repo): Promise<void> {
  const folder = join(repo.path, '.git/ralph/runs/20260101-000000-abcdef');
  await mkdir(join(folder, 'inbox'), { recursive: true });
  for (const file of Object.values(FILES_OF_RUN)) await writeFile(join(folder, file), '{}\n');
}

interface OpenServers {
  readonly port: number;
  readonly otherPort: number;
  visits(): number;
  close(): Promise<void>;
}

/** Each of them answers whoever comes. */
async function openServers(...sockets: readonly string[]): Promise<OpenServers> {
  let visits = 0;
  const open = async (where: { readonly host: string; readonly port: number } | { readonly path: string }): Promise<Server> => {
    const server = createServer((socket) => {
      visits += 1;
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', () => socket.destroy());
    });
    server.listen(where);
    await once(server, 'listening');
    return server;
  };
  const servers = await Promise.all([{ host: '127.0.0.1', port: 0 }, { host: '127.0.0.2', port: 0 }, ...sockets.map((path) => ({ path }))].map(open));
  const [port = 0, otherPort = 0] = servers.map((server) => portOf(server));
  return {
    port,
    otherPort,
    visits: () => visits,
    close: async () => void (await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))),
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** A shell makes a file before it writes into it. */
const hasText = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
