import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxCall, SandboxedCall, SandboxPort } from '../../engine/ports/sandbox.ts';
import * as z from '../../kit/pure/shape.ts';
import { capture } from '../../process/capture.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { withoutGitVariables } from '../environment/environment.ts';
import { type DockerCommands, openDockerCommands } from './docker-commands.ts';
import { type DockerSandboxOptions, execArgs, networkLogArgs, stopArgs, unavailable, type Variables } from './docker-grammar.ts';
import { sandboxName, templateOf } from './find-docker.ts';
import { bringOwnGit, openFreshness, type Top } from './freshness.ts';
import { findSandbox, makeSandbox, writeEnvFile } from './make-sandbox.ts';

/** Measured in seed 003: files written inside reach the host after two to three seconds. */
const SETTLED_AFTER_MS = 2_500;

/**
 * Runs commands in the microVM that Docker keeps for this folder. The microVM is created once and kept after the run. Tested with a stand-in for both of
 * Docker's command lines, never with a real engine.
 */
export async function openDockerSandbox(options: DockerSandboxOptions): Promise<SandboxPort & AsyncDisposable> {
  const { cli, env, project, warn } = options;
  const template = templateOf(options);
  const name = sandboxName(cli, project, template);
  const mounts = await mountsOf(project, options.extraPaths);
  const has = (path: string) => mounts.some((mount) => isBelow(path, mount));
  const scratch = await makeTemporaryFolder('docker');
  const commands = openDockerCommands(cli, env, project);
  let inside = 0;
  const carrier = { commands, name, env, scratch };
  const freshness = openFreshness({
    carrier,
    warn,
    isBusy: () => inside > 0 || !options.alone,
    isMounted: has,
    isReadOnly: (path) => options.readOnlyPaths.some((sealed) => isBelow(path, sealed)),
  });
  const inTurn = openTurns();
  const make = () =>
    makeSandbox({ commands, name, template, scratch, options, mounts, willStart: () => freshness.willStart(options.shares === 'project' ? [project] : []) });

  try {
    const found = await findSandbox(commands, name, mounts);
    // A running sandbox has an old view of the host's files and never updates it.
    if (found !== null && found.status !== 'stopped' && options.alone) await commands.must('stopping it', stopArgs(cli, name));
    await make();
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
  const log = await openNetworkLog(commands, name);

  const leave = async (top: Top, mark: string, envFile: string) => {
    try {
      await endInside(commands, name, mark);
      await sleep(options.settleMs ?? SETTLED_AFTER_MS);
      await inTurn(() => freshness.note(top));
      for (const target of await log.refusedSince()) options.onRefused({ what: 'network', target });
    } finally {
      inside -= 1;
      await rm(envFile, { force: true });
    }
  };

  const enclose = async (call: SandboxCall): Promise<SandboxedCall> => {
    // An agent's files must reach the host, so its folder must be mounted. A gate's temporary checkout need not be.
    if (call.who === 'agent' && !has(call.cwd)) throw unavailable(`The Docker sandbox does not have the folder ${call.cwd}.`, `It has ${mounts.join(', ')}.`);
    if ((await findSandbox(commands, name, mounts)) === null) {
      warn(`the Docker sandbox ${name} is gone: it is made again`);
      await make();
    }
    const top = await topOf(call, env);
    await freshness.bring(top);
    if (call.ownGit) await bringOwnGit(carrier, top.path, call.ownGit);
    const mark = randomUUID();
    const envFile = await writeEnvFile(scratch, { ...insideEnvironment(call.env, options.logins), [INSIDE_MARKER]: mark }, warn);
    const command = [isAbsolute(call.file) && has(call.file) ? call.file : basename(call.file), ...call.args];
    inside += 1;
    let left: Promise<void> | undefined;
    const args = execArgs(cli, { name, cwd: call.cwd, envFile, command });
    return { file: cli.file, args, cwd: call.cwd, env, stopDepth: 0, leave: () => (left ??= leave(top, mark, envFile)) };
  };

  return {
    mode: 'docker',
    enclose: (call) => inTurn(() => enclose(call)),
    [Symbol.asyncDispose]: () => rm(scratch, { recursive: true, force: true }),
  };
}

/** Runs jobs one after another, in the order of the calls. A failed one does not stop the next. */
function openTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

const ANSWERED_WITHIN_MS = 30_000;

async function topOf({ ownFolder, ownGit, cwd }: SandboxCall, env: Variables): Promise<Top> {
  return { path: ownFolder?.folder ?? (await workTreeOf(cwd, env)), isCopy: ownFolder !== undefined, hasOwnGit: ownGit !== undefined };
}

/** The top of the work tree that contains a folder; without git, the folder itself. */
async function workTreeOf(cwd: string, env: Variables): Promise<string> {
  const args = ['-c', 'core.fsmonitor=false', 'rev-parse', '--show-toplevel'];
  const { code, stdout } = await capture({ file: 'git', args, cwd, env: withoutGitVariables(env), timeoutMs: ANSWERED_WITHIN_MS });
  return code === 0 ? stdout.replace(/\n$/, '') : cwd;
}

/** Variables that describe the host: its folders, session and proxies. The sandbox has its own. */
const OF_THE_HOST = new Set(
  ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'SHELL', 'PWD', 'OLDPWD', 'SHLVL', '_', 'USER', 'LOGNAME', 'HOSTNAME', 'DISPLAY'].concat([
    'SSH_AUTH_SOCK',
    'NODE_EXTRA_CA_CERTS',
    'GIT_CONFIG_GLOBAL',
  ]),
);
const KINDS_OF_THE_HOST = [/^XDG_/, /_proxy$/i, /^DOCKER_/, /^LD_/, /^DYLD_/];

/** The part of a call's environment that makes sense inside the sandbox. */
function insideEnvironment(env: Variables, logins: DockerSandboxOptions['logins']): Variables {
  const isOfTheHost = (name: string) =>
    OF_THE_HOST.has(name) || KINDS_OF_THE_HOST.some((kind) => kind.test(name)) || logins.some(({ movedBy }) => movedBy === name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOfTheHost(name)));
}

/** Marks every process that one call starts inside. */
const INSIDE_MARKER = 'RALPH_INSIDE';

/** Sends SIGTERM to all marked processes, then kills them. The marker also finds those that left their session. */
const END_ALL = `
mark="${INSIDE_MARKER}=$1"
marked() { grep -lzxF "$mark" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\\n'; }
found=$(marked); [ -n "$found" ] || exit 0
kill -TERM $found 2>/dev/null
i=0; while [ $i -lt 20 ]; do found=$(marked); [ -n "$found" ] || exit 0; sleep 0.1; i=$((i+1)); done
kill -KILL $found 2>/dev/null
exit 0`;

/** Ends the processes that an exec started, because ending its client does not. A sandbox that is gone has none. */
async function endInside(commands: DockerCommands, name: string, mark: string): Promise<void> {
  await commands.ask(execArgs(commands.cli, { name, user: 'root', command: ['sh', '-c', END_ALL, 'sh', mark] }));
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return isAbsolute(path) && !isAbsolute(way) && way !== '..' && !way.startsWith('../');
}

/**
 * The folders that a sandbox is created with: the project first, then those outside of it. Missing ones are created, since a sandbox gets its folders only
 * once. A file is represented by its folder, because only folders can be mounted writable.
 */
async function mountsOf(project: string, extraPaths: readonly string[]): Promise<readonly string[]> {
  const folders: string[] = [project];
  for (const path of extraPaths.filter((extra) => !isBelow(extra, project))) {
    const found = await stat(path).catch(() => null);
    if (found === null) await mkdir(path, { recursive: true });
    folders.push(found === null || found.isDirectory() ? path : dirname(path));
  }
  const all = [...new Set(folders)];
  return all.filter((path) => path === project || !all.some((other) => other !== path && isBelow(path, other)));
}

/** Undocumented. This follows others' reports of sbx, and an example of `docker sandbox network log`. */
const Logged = z.looseObject({
  blocked_hosts: z.array(z.looseObject({ host: z.string() })).nullish(),
  entries: z.array(z.looseObject({ sandbox: z.string(), url: z.string().nullish(), host: z.string().nullish() })).nullish(),
});

export interface NetworkLog {
  /** The hosts refused since the last call, each once. Empty if the log cannot be read. */
  refusedSince(): Promise<readonly string[]>;
}

async function openNetworkLog(commands: DockerCommands, name: string): Promise<NetworkLog> {
  const read = async () => refusedIn((await commands.ask(networkLogArgs(commands.cli, name))).stdout, name);
  let told = await read();
  return {
    async refusedSince() {
      const now = await read();
      const fresh = [...now].filter(([line]) => !told.has(line)).map(([, host]) => host);
      told = now;
      return [...new Set(fresh)];
    },
  };
}

/** The key is the whole line. It contains a count or a time, so a host that is tried again is reported again. */
function refusedIn(text: string, name: string): ReadonlyMap<string, string> {
  const logged = Logged.safeParse(jsonIn(text));
  if (!logged.success) return new Map();
  const blocked = (logged.data.blocked_hosts ?? []).map((row) => [JSON.stringify(row), row.host] as const);
  const denied = (logged.data.entries ?? [])
    .filter((row) => row.sandbox === name && Object.values(row).some((value) => value === 'denied' || value === 'blocked'))
    .map((row) => [JSON.stringify(row), row.host ?? row.url ?? 'a host'] as const);
  return new Map([...blocked, ...denied]);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{')));
  } catch {
    return undefined;
  }
}
