import { createHash } from 'node:crypto';
import { capture } from '../../process/capture.ts';
import { DOCKER_SANDBOX, type DockerCli, SBX, type Variables } from './docker-cli.ts';
import { openDockerCommands } from './docker-commands.ts';
import { versionArgs } from './docker-grammar.ts';
import { unavailable } from './docker-sandbox-options.ts';

/** A client whose engine does not answer may wait for ever. */
const ANSWERS_WITHIN_MS = 10_000;

/** For the operator who asked for it. */
export const DOCKER_MISSING = {
  why: 'neither "sbx" nor the older "docker sandbox" answers here',
  hint: 'Install sbx (https://docs.docker.com/ai/sandboxes/) and sign in with "sbx login", or use another sandbox.',
} as const;

/** Never rejects: no client, a client without the plugin, and a client that hangs are all null. */
export async function findDocker(env: Variables, cwd: string): Promise<DockerCli | null> {
  if (await answers(SBX, env, cwd)) return SBX;
  return (await answers(DOCKER_SANDBOX, env, cwd)) ? DOCKER_SANDBOX : null;
}

/** Other programs are called sbx too: the right one says a version with its name before it. */
const ITS_VERSION = { sbx: /\bsbx\b.*\d+\.\d+/is, docker: /\d+\.\d+/ };

async function answers(cli: DockerCli, env: Variables, cwd: string): Promise<boolean> {
  const { code, stdout } = await capture({ file: cli.file, args: versionArgs(cli), cwd, env, timeoutMs: ANSWERS_WITHIN_MS });
  return code === 0 && ITS_VERSION[cli.flavour].test(stdout);
}

export interface DockerState {
  /** Null: there is no Docker with sandboxes. */
  readonly cli: DockerCli | null;
  readonly name: string | null;
  /** Whether a sandbox was once made for this project, for any agent. */
  readonly exists: boolean;
}

/** What Docker has for a project: for its own folder, or for that of its copies. Never rejects: a Docker that does not answer has nothing. */
export async function dockerState(env: Variables, [project, ...others]: readonly [string, ...string[]]): Promise<DockerState> {
  const cli = await findDocker(env, project);
  if (cli === null) return { cli: null, name: null, exists: false };
  const rows = await openDockerCommands(cli, env, project)
    .list()
    .catch(() => []);
  const isOf = (folder: string) => rows.find(({ name, workspaces }) => isNameOf(cli, folder, name) && (workspaces?.includes(folder) ?? true));
  const found = [project, ...others].map(isOf).find((row) => row !== undefined);
  return { cli, name: found?.name ?? sandboxName(cli, project), exists: found !== undefined };
}

/** Those of our agents that Docker has a template for, by the same name in both command lines. */
const TEMPLATES: readonly string[] = ['claude', 'codex', 'gemini', 'opencode'];

/** What a sandbox is made from. Without a template of its own an agent gets a plain machine, in which somebody has to install it. */
export function templateOf(cli: DockerCli, agentKind: string): string {
  if (TEMPLATES.includes(agentKind)) return agentKind;
  if (cli.flavour === 'sbx') return 'shell';
  throw unavailable(
    `"docker sandbox" has no template for the agent kind "${agentKind}".`,
    `Install sbx, or use one of ${TEMPLATES.join(', ')}, or --no-sandbox.`,
  );
}

/** Docker names no bound. The longest label of a host name is one that every part of it can use. */
const MAX_LENGTH = 63;
const HASH_LENGTH = 12;

/**
 * The name of a project's sandbox, made of its path as seed 003 has it: `ralph-_home_me_project`. Made from another template than claude's it has that in its
 * name, since it is another machine. sbx allows no underscore in a name, so there it is a hyphen. A name that would be too long is cut and ends in a hash.
 * Two paths may still get one name: that is found out by what the sandbox holds.
 */
export function sandboxName(cli: DockerCli, project: string, template = 'claude'): string {
  const path = cli.flavour === 'sbx' ? project.replaceAll(/[^A-Za-z0-9.-]/g, '-') : project.replaceAll(/[^A-Za-z0-9._-]/g, '_');
  const name = `ralph-${template === 'claude' ? '' : `${template}-`}${path}`;
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha256').update(project).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}-${hash}`;
}

/** Whether a sandbox of that name would be one of the project's, made from whatever template. */
export function isNameOf(cli: DockerCli, project: string, name: string): boolean {
  return [...TEMPLATES, 'shell'].some((template) => sandboxName(cli, project, template) === name);
}
