import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { definitions } from '../../src/agents/definitions.ts';
import { definitionNamed } from '../../src/agents/find-definition.ts';
import type { SandboxCall, SandboxPort, SandboxRefusal } from '../../src/engine/ports/sandbox.ts';
import { openOsSandbox } from '../../src/sandbox/os/open-os-sandbox.ts';
import type { OsSandboxOptions } from '../../src/sandbox/os/path-rules.ts';
import { openRepo, type Repo } from './repo.ts';
import { runCollected } from './run-collected.ts';
import { useSharedTemporaryFolder } from './shared-temporary-folder.ts';

export interface Probe {
  readonly code: number | null;
  /** stdout and stderr. */
  readonly said: string;
}

export interface SandboxStage extends AsyncDisposable {
  readonly repo: Repo;
  readonly home: string;
  readonly wall: SandboxPort;
  readonly refused: readonly SandboxRefusal[];
  /** Writes a file of the home, and makes its folders. */
  keep(name: string, content: string): Promise<string>;
  /** Runs a shell script in the sandbox, by default in the repository. */
  inside(script: string, rest?: Partial<SandboxCall>): Promise<Probe>;
  /** The same in another sandbox. */
  behind(wall: SandboxPort): SandboxStage['inside'];
  /** The same script with the same variables, without a sandbox. */
  outside(script: string, rest?: Partial<SandboxCall>): Promise<Probe>;
}

/** A repository, a home with nothing in it, and a wall around what is run. */
export async function openSandboxStage(
  wish: (place: { readonly repo: Repo; readonly home: string }) => Partial<OsSandboxOptions> = () => ({}),
): Promise<SandboxStage> {
  const temporary = await useSharedTemporaryFolder();
  const repo = await openRepo();
  const home = join(repo.beside, 'home');
  await mkdir(home);
  const refused: SandboxRefusal[] = [];
  const wall = await openOsSandbox({
    home,
    commonDir: join(repo.path, '.git'),
    sealed: [],
    sealedBelow: [],
    writable: [],
    readable: [],
    hidden: [],
    tracked: [],
    sockets: [],
    login: definitionNamed('claude').login,
    logins: definitions.map(({ login }) => login),
    hosts: [],
    // As in a run: where every process has a folder of its own. Elsewhere one that vanishes just now keeps another stage's process from starting.
    socketPath: `/tmp/ralph-wall-${randomUUID()}.sock`,
    cacheFolder: join(repo.beside, 'cache'),
    upstream: {},
    limits: { memoryBytes: 0, processes: 0 },
    onRefused: (refusal) => void refused.push(refusal),
    ...wish({ repo, home }),
  });
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...identity };
  const callOf = (script: string, rest: Partial<SandboxCall>): SandboxCall => ({
    who: 'agent',
    file: 'sh',
    args: ['-c', script],
    cwd: repo.path,
    env,
    ...rest,
  });
  const behind =
    (any: SandboxPort) =>
    async (script: string, rest: Partial<SandboxCall> = {}) => {
      const { leave, ...enclosed } = await any.enclose(callOf(script, rest));
      const { ending, request } = await runCollected(repo.beside, { ...enclosed, stderrFile: 'merged' });
      await leave();
      return { code: ending.kind === 'exited' ? ending.code : null, said: await readFile(request.stdoutFile, 'utf8') };
    };

  return {
    repo,
    home,
    wall,
    behind,
    inside: behind(wall),
    refused,
    async keep(name, content) {
      const path = join(home, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    async outside(script, rest = {}) {
      const { file, args, cwd, env: variables } = callOf(script, rest);
      const child = spawn(file, args, { cwd, env: variables, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      const said: Buffer[] = [];
      for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (chunk: Buffer) => said.push(chunk));
      const [code] = await once(child, 'close');
      return { code, said: Buffer.concat(said).toString() };
    },
    async [Symbol.asyncDispose]() {
      temporary[Symbol.dispose]();
      await wall[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

const identity = { GIT_AUTHOR_NAME: 't', GIT_AUTHOR_EMAIL: 't@example.com', GIT_COMMITTER_NAME: 't', GIT_COMMITTER_EMAIL: 't@example.com' };

/** A linked worktree of the repository beside it. */
export async function addWorktree({ repo }: Pick<SandboxStage, 'repo'>, name = 'lane'): Promise<string> {
  const path = join(repo.beside, name);
  repo.git('worktree', 'add', '-q', '-b', name, path);
  return await realpath(path);
}
