import { randomUUID } from 'node:crypto';
import { chmod, lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagePath } from '../../kit/files/package-root.ts';
import { pathExists } from '../../kit/files/read.ts';
import { makeFolder, writeFresh } from '../../kit/files/write.ts';
import * as z from '../../kit/pure/shape.ts';
import { CREATED_WITHIN_MS, type DockerCommands, type SandboxRow } from './docker-commands.ts';
import {
  commandOf,
  createArgs,
  type DockerSandboxOptions,
  dockerFailed,
  dockerProxyArgs,
  execArgs,
  removeArgs,
  sbxAllowArgs,
  sbxCheckArgs,
  sbxInitArgs,
  unavailable,
  type Variables,
} from './docker-grammar.ts';

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

/** Creates the project's sandbox if it does not exist, and sets up its login, hooks and hosts. The setup is repeated at every start. */
export async function makeSandbox({ commands, name, template, scratch, options, mounts, willStart }: Making): Promise<void> {
  const stateFolder = await prepareStateFolder(options.home);
  await initNetworkPolicy(commands, options.warn);
  if ((await findSandbox(commands, name, mounts)) === null) {
    const paths = [...mounts, stateFolder];
    const readOnly = await thoseThere(options.readOnlyPaths);
    await commands.must('making it', createArgs(commands.cli, { name, template, paths, readOnly }), { timeoutMs: CREATED_WITHIN_MS });
  }
  await willStart();
  // The network policy comes first, so that nothing runs inside without it.
  await applyNetworkPolicy(commands, name, options.hosts, options.warn);
  await furnishSandbox(commands, { name, stateFolder, hookEntry: options.hookEntry, node: process.execPath, scratch });
}

/** Null when there is no sandbox of that name. Rejects if it belongs to another project, or lacks a folder that is needed now. */
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
 * Prepares `~/.dclaude_state`, as in seed 003: the folder of the host that keeps agents' logins longer than a sandbox lives. Its content stays. Only a missing
 * or empty `.claude.json` becomes `{}`, since claude cannot read an empty one.
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

/** Does not follow a link here: processes in a sandbox can write in this folder. */
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
  /** The host's node, which runs an agent's hooks. */
  readonly node: string;
  /** A folder that only Ralph can access. */
  readonly scratch: string;
}

/** Puts the hook entry and node at the same paths as on the host, so that one command line for hooks works in both places. */
const PUT_HOOK = `
entry=$1 node=$2
mkdir -p "$(dirname "$entry")" && cat >"$entry.new" && chmod 755 "$entry.new" && mv -f "$entry.new" "$entry" || exit 1
if [ ! -e "$node" ] && found=$(command -v node); then mkdir -p "$(dirname "$node")" && ln -s "$found" "$node"; fi
exit 0`;

/** Sets up what every sandbox of Ralph's has: the login, a name for commits, and the hooks. Can be repeated. */
async function furnishSandbox(commands: DockerCommands, furniture: Furniture): Promise<void> {
  const { name, stateFolder, hookEntry, node } = furniture;
  const asRoot = (...command: readonly string[]) => execArgs(commands.cli, { name, user: 'root', command });
  await commands.must('setting it up', asRoot('bash', '-s', '--', stateFolder), { inputFile: packagePath('sandbox', 'setup.sh') });
  await commands.must('copying the hooks into it', asRoot('sh', '-c', PUT_HOOK, 'sh', hookEntry, node), { inputFile: hookEntry });
  await proveEnvFile(commands, furniture);
}

/** Checks that --env-file works: sbx 0.37 accepted it, exited with 0 and read no file (docker/sbx-releases#368). The agent would run without its variables. */
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

/** No machine and no list has this name: a sandbox that may reach it may reach everything. */
const ANYWHERE = 'ralph-probe.invalid:443';
/** A host on every list of common developer hosts. */
const USUAL = 'github.com';

const Checked = z.looseObject({ allowed: z.boolean() });

/** sbx needs a policy for the whole machine before it creates its first sandbox. An existing policy is the operator's and stays unchanged. */
async function initNetworkPolicy(commands: DockerCommands, warn: (text: string) => void): Promise<void> {
  if (commands.cli.flavour === 'docker') return;
  const { code } = await commands.ask(sbxInitArgs);
  if (code === 0) warn('sbx had no network policy yet: it now denies all that is not allowed, on this whole machine ("sbx policy ls")');
}

/**
 * Limits the sandbox to the named hosts. In sbx this works only if the machine's own policy denies the rest, so Ralph checks that; a machine that allows
 * everything is not a sandbox. Rules that earlier runs gave to the same sandbox stay.
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

/** sbx exits with 1 when the policy denies the target. */
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

/** Docker reads `NAME=value` line by line, without quotes or escapes, so a value cannot have several lines. */
function envFileText(env: Variables): { readonly text: string; readonly leftOut: readonly string[] } {
  const entries = Object.entries(env);
  const isSayable = ([name, value]: readonly [string, string]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/[\n\r\0]/.test(value);
  return {
    text: entries
      .filter(isSayable)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    leftOut: entries.filter((entry) => !isSayable(entry)).map(([name]) => name),
  };
}

/** Values never go on a command line, which every process of the machine may read. The folder is accessible to Ralph only. */
export async function writeEnvFile(folder: string, env: Variables, warn: (text: string) => void): Promise<string> {
  const { text, leftOut } = envFileText(env);
  if (leftOut.length > 0) warn(`not given to the Docker sandbox, since its file of variables has one line for each: ${leftOut.join(', ')}`);
  const file = join(folder, `${randomUUID()}.env`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}
