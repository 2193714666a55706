import { randomUUID } from 'node:crypto';
import { chmod, lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packagePath } from '../../kit/files/package-root.ts';
import { pathExists } from '../../kit/files/read.ts';
import { makeFolder, writeFresh } from '../../kit/files/write.ts';
import * as z from '../../kit/pure/shape.ts';
import { CREATED_WITHIN_MS, type DockerCommands } from './docker-commands.ts';
import { createArgs, dockerProxyArgs, execArgs, removeArgs, sbxAllowArgs, sbxCheckArgs, sbxInitArgs } from './docker-grammar.ts';
import { commandOf, type DockerSandboxOptions, dockerFailed, unavailable } from './docker-sandbox-options.ts';
import { writeEnvFile } from './env-file.ts';
import type { SandboxRow } from './parse-list.ts';

interface Making {
  readonly commands: DockerCommands;
  readonly name: string;
  readonly template: string;
  readonly scratch: string;
  readonly options: DockerSandboxOptions;
  readonly mounts: readonly string[];
  /** Called before the first command starts it. */
  readonly willStart: () => Promise<void>;
}

/** The project's sandbox, made if it is not there, with its login, its hooks and its hosts. All but the making is done at every start. */
export async function makeSandbox({ commands, name, template, scratch, options, mounts, willStart }: Making): Promise<void> {
  const stateFolder = await prepareStateFolder(options.home);
  await initNetworkPolicy(commands, options.warn);
  if ((await findSandbox(commands, name, mounts)) === null) {
    const paths = [...mounts, stateFolder];
    const readOnly = await thoseThere(options.readOnlyPaths);
    await commands.must('making it', createArgs(commands.cli, { name, template, paths, readOnly }), { timeoutMs: CREATED_WITHIN_MS });
  }
  await willStart();
  // The policy comes first: nothing runs inside without it.
  await applyNetworkPolicy(commands, name, options.hosts, options.warn);
  await furnishSandbox(commands, { name, stateFolder, hookEntry: options.hookEntry, node: process.execPath, scratch });
}

/** Null: there is none. Rejects where one of that name is another project's, or was made without a folder that is needed now. */
export async function findSandbox(commands: DockerCommands, name: string, mounts: readonly string[]): Promise<SandboxRow | null> {
  const row = (await commands.list()).find((listed) => listed.name === name);
  if (row === undefined) return null;
  const held = row.workspaces?.map((path) => path.replace(/:ro$/, '')) ?? null;
  const missing = held === null ? [] : mounts.filter((path) => !held.includes(path));
  if (missing.length === 0) return row;
  const remove = [commands.cli.file, ...removeArgs(commands.cli, name)].join(' ');
  const what = missing[0] === mounts[0] ? `is that of another project, ${held?.[0]}` : `was made without ${missing.join(', ')}`;
  throw unavailable(`The Docker sandbox ${name} ${what}.`, `If you do not need it, remove it with "${remove}": it is then made anew.`);
}

async function thoseThere(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map(pathExists));
  return paths.filter((_, index) => there[index]);
}

/**
 * The folder of the host that holds the login of agents in sandboxes, so that it outlives them: `~/.dclaude_state`, as seed 003 has it. What is in it stays;
 * only a `.claude.json` that is missing or empty is made `{}`, since claude cannot read an empty one.
 */
export async function prepareStateFolder(home: string): Promise<string> {
  const folder = join(home, '.dclaude_state');
  try {
    await makeFolder(folder, 0o700);
    await chmod(folder, 0o700);
    await makeFolder(join(folder, '.claude'), 0o700);
    await prepareFile(join(folder, '.claude.json'));
  } catch (error) {
    throw unavailable(`The login of the agents in sandboxes cannot be kept in ${folder}: ${(error as Error).message}`, 'Make it a folder of your own.');
  }
  return folder;
}

/** What runs in a sandbox may write here: a link it has left is not followed. */
async function prepareFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isFile()) throw new Error(`${path} is no file`);
  if (found === null || (await readFile(path, 'utf8')).trim() === '') writeFresh(path, '{}\n');
  await chmod(path, 0o600);
}

interface Furniture {
  readonly name: string;
  readonly stateFolder: string;
  /** The single-file hook entry of this package. */
  readonly hookEntry: string;
  /** The node of the host, by which the hooks of an agent are started. */
  readonly node: string;
  /** Only ours. */
  readonly scratch: string;
}

/** The entry lies where it lies on the host and node is found where the host has it, so that one command line for hooks is right in both places. */
const PUT_HOOK = `
entry=$1 node=$2
mkdir -p "$(dirname "$entry")" && cat >"$entry.new" && chmod 755 "$entry.new" && mv -f "$entry.new" "$entry" || exit 1
if [ ! -e "$node" ] && found=$(command -v node); then mkdir -p "$(dirname "$node")" && ln -s "$found" "$node"; fi
exit 0`;

/** What every sandbox of ours has: the login, a name for commits, the hooks. All of it may be done again. */
async function furnishSandbox(commands: DockerCommands, furniture: Furniture): Promise<void> {
  const { name, stateFolder, hookEntry, node } = furniture;
  const asRoot = (...command: readonly string[]) => execArgs(commands.cli, { name, user: 'root', command });
  await commands.must('setting it up', asRoot('bash', '-s', '--', stateFolder), { inputFile: packagePath('sandbox', 'setup.sh') });
  await commands.must('copying the hooks into it', asRoot('sh', '-c', PUT_HOOK, 'sh', hookEntry, node), { inputFile: hookEntry });
  await proveEnvFile(commands, furniture);
}

/** sbx 0.37 took --env-file, ended well and read no file (docker/sbx-releases#368): an agent would be without its variables, and nobody would know why. */
async function proveEnvFile(commands: DockerCommands, { name, scratch }: Furniture): Promise<void> {
  const proof = randomUUID();
  const envFile = await writeEnvFile(scratch, { RALPH_PROOF: proof }, () => undefined);
  try {
    const command = ['sh', '-c', 'printf %s "$RALPH_PROOF"'];
    const said = await commands.must('running a command in it', execArgs(commands.cli, { name, envFile, command }));
    if (said.includes(proof)) return;
    throw unavailable(`"${commandOf(commands.cli)} exec --env-file" gives no variables to the sandbox.`, 'Some versions do not (sbx 0.37): use a newer one.');
  } finally {
    await rm(envFile, { force: true });
  }
}

/** No machine has this name, and no list: who may reach it may reach everything. */
const ANYWHERE = 'ralph-probe.invalid:443';
/** On every list of what developers usually want. */
const USUAL = 'github.com';

const Checked = z.looseObject({ allowed: z.boolean() });

/** sbx wants a policy for the whole machine before it makes its first sandbox. One that is there is left as it is: it is the operator's. */
async function initNetworkPolicy(commands: DockerCommands, warn: (text: string) => void): Promise<void> {
  if (commands.cli.flavour === 'docker') return;
  const { code } = await commands.ask(sbxInitArgs);
  if (code === 0) warn('sbx had no network policy yet: it now denies all that is not allowed, on this whole machine ("sbx policy ls")');
}

/**
 * Only the named hosts can be reached from the sandbox. In sbx that is true only if the machine's own policy denies the rest, so it is asked; a machine that
 * allows everything is no wall. Rules that earlier runs gave to the same sandbox stay.
 */
async function applyNetworkPolicy(commands: DockerCommands, name: string, hosts: readonly string[], warn: (text: string) => void): Promise<void> {
  if (commands.cli.flavour === 'docker') {
    await commands.must('setting its network policy', dockerProxyArgs(name, hosts));
    return;
  }
  if (hosts.length > 0) await commands.must('setting its network policy', sbxAllowArgs(name, hosts));
  if (await isAllowed(commands, name, ANYWHERE)) {
    throw unavailable(
      'The network policy of sbx on this machine allows every host: the sandbox would keep nothing in.',
      'Run "sbx policy reset" and "sbx policy init deny-all"; this changes all your sandboxes.',
    );
  }
  const named = hosts.some((host) => host.split(':', 1)[0]?.endsWith(USUAL));
  if (!named && (await isAllowed(commands, name, USUAL))) {
    warn(
      'the network policy of sbx on this machine lets the sandbox reach more than the hosts of this run ("sbx policy ls"); "sbx policy init deny-all" would not',
    );
  }
}

/** sbx ends with 1 where it says no. */
async function isAllowed(commands: DockerCommands, name: string, target: string): Promise<boolean> {
  const said = await commands.ask(sbxCheckArgs(name, target));
  const answer = /\{.*\}/s.exec(said.stdout)?.[0];
  const checked = Checked.safeParse(answer === undefined ? undefined : parsed(answer));
  if (!checked.success) throw dockerFailed(commands.cli, 'asking for its network policy', said);
  return checked.data.allowed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
