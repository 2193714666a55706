import { createHash } from 'node:crypto';
import { capture } from '../../process/capture.ts';
import { findExecutable } from '../../process/find-executable.ts';
import { openDockerCommands } from './docker-commands.ts';
import { DOCKER_SANDBOX, type DockerCli, type DockerSandboxOptions, SBX, unavailable, type Variables, versionArgs } from './docker-grammar.ts';

/** A client whose engine does not answer may wait forever. */
const ANSWERS_WITHIN_MS = 10_000;

/** What an operator who asks for Docker is told when it is missing. */
export const DOCKER_MISSING = {
  why: 'neither "sbx" nor the older "docker sandbox" answers here',
  hint: 'Install sbx (https://docs.docker.com/ai/sandboxes/) and sign in with "sbx login", or use another sandbox.',
} as const;

/** Null for a missing client, a client without the plugin, and a client that hangs. Never rejects. */
export async function findDocker(env: Variables, cwd: string): Promise<DockerCli | null> {
  if (await answers(SBX, env, cwd)) return SBX;
  return (await answers(DOCKER_SANDBOX, env, cwd)) ? DOCKER_SANDBOX : null;
}

/** Other programs are called sbx too. The right one prints its name before its version. */
const ITS_VERSION = { sbx: /\bsbx\b.*\d+\.\d+/is, docker: /\d+\.\d+/ };

async function answers(cli: DockerCli, env: Variables, cwd: string): Promise<boolean> {
  if ((await findExecutable(cli.file, { path: env['PATH'] ?? '', cwd })) === null) return false;
  const { code, stdout } = await capture({ file: cli.file, args: versionArgs(cli), cwd, env, timeoutMs: ANSWERS_WITHIN_MS });
  return code === 0 && ITS_VERSION[cli.flavour].test(stdout);
}

export interface DockerState {
  /** Null when there is no Docker with sandboxes. */
  readonly cli: DockerCli | null;
  readonly name: string | null;
  /** Whether a sandbox was ever created for this project, for any agent. */
  readonly exists: boolean;
}

/** The sandbox Docker has for a project: for its own folder or for that of its copies. Never rejects: a Docker that does not answer counts as having none. */
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

/** The template for an agent's sandbox. An agent without a template gets a plain machine, in which the operator has to install it. */
export function templateOf({ cli, template, agentKind }: Pick<DockerSandboxOptions, 'cli' | 'template' | 'agentKind'>): string {
  if (template !== null) return template;
  if (cli.flavour === 'sbx') return 'shell';
  throw unavailable(
    `"docker sandbox" has no template for the agent kind "${agentKind}".`,
    'Install sbx, or use an agent that has one, such as claude, or --no-sandbox.',
  );
}

/** Docker documents no limit. 63 characters is the longest label of a host name. */
const MAX_LENGTH = 63;
const HASH_LENGTH = 12;

/**
 * The name of a project's sandbox, made from its path as in seed 003: `ralph-_home_me_project`. A template other than claude's is part of the name, since it
 * makes a different machine. sbx allows no underscores, so it gets hyphens. A name that is too long is cut and ends in a hash. Two paths may still get the same
 * name; `findSandbox` detects that by the folders of the sandbox.
 */
export function sandboxName(cli: DockerCli, project: string, template = 'claude'): string {
  const path = cli.flavour === 'sbx' ? project.replaceAll(/[^A-Za-z0-9.-]/g, '-') : project.replaceAll(/[^A-Za-z0-9._-]/g, '_');
  const name = `ralph-${template === 'claude' ? '' : `${template}-`}${path}`;
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha256').update(project).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}-${hash}`;
}

/** Whether a sandbox of that name belongs to the project, whatever template it was made from. */
export function isNameOf(cli: DockerCli, project: string, name: string): boolean {
  const [, template] = /^ralph-([a-z\d]+)-/.exec(name) ?? [];
  return sandboxName(cli, project, template) === name;
}
