import type { SandboxRefusal } from '../../engine/ports/sandbox.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { Captured } from '../../process/capture.ts';
import type { AgentLogin } from '../agent-login.ts';

/**
 * One of the two command lines for Docker's sandboxes. sbx: the standalone program. docker: the plugin of Docker Desktop, deprecated in 2026-04 and removed by
 * 2026-07; Ralph still supports existing installations.
 */
export interface DockerCli {
  readonly flavour: 'sbx' | 'docker';
  readonly file: string;
  /** The arguments before every subcommand. */
  readonly prefix: readonly string[];
}

export const SBX: DockerCli = { flavour: 'sbx', file: 'sbx', prefix: [] };
export const DOCKER_SANDBOX: DockerCli = { flavour: 'docker', file: 'docker', prefix: ['sandbox'] };

export type Variables = Readonly<Record<string, string>>;

/**
 * All command lines that Ralph gives to Docker's sandboxes. They follow the reference pages of `sbx` (0.32 and later, where --sandbox names the sandbox of a
 * rule) and of `docker sandbox`, as of 2026-11. None of them was run on a real engine.
 */
export type Args = readonly string[];

export interface CreateRequest {
  readonly name: string;
  readonly template: string;
  /** Mounted at the same path as on the host. */
  readonly paths: readonly string[];
  readonly readOnly: readonly string[];
}

export interface ExecRequest {
  readonly name: string;
  readonly user?: 'root';
  readonly cwd?: string;
  readonly envFile?: string;
  readonly command: readonly string[];
}

export const versionArgs = (cli: DockerCli): Args => [...cli.prefix, 'version'];

export const listArgs = (cli: DockerCli, as: 'json' | 'table' = 'json'): Args => [...cli.prefix, 'ls', ...(as === 'json' ? ['--json'] : [])];

export function createArgs(cli: DockerCli, { name, template, paths, readOnly }: CreateRequest): Args {
  return [...cli.prefix, 'create', '--name', name, template, ...paths, ...readOnly.map((path) => `${path}:ro`)];
}

/** Always with -i: without it the command gets no stdin. Never with -t: there is no terminal. */
export function execArgs(cli: DockerCli, { name, user, cwd, envFile, command }: ExecRequest): Args {
  return [
    ...cli.prefix,
    'exec',
    '-i',
    ...(user === undefined ? [] : ['-u', user]),
    ...(cwd === undefined ? [] : ['-w', cwd]),
    ...(envFile === undefined ? [] : ['--env-file', envFile]),
    name,
    ...command,
  ];
}

export const stopArgs = (cli: DockerCli, name: string): Args => [...cli.prefix, 'stop', name];

/** Without --force, sbx asks for confirmation. */
export const removeArgs = (cli: DockerCli, name: string): Args => [...cli.prefix, 'rm', ...(cli.flavour === 'sbx' ? ['--force'] : []), name];

/** Sets the policy of the whole machine. sbx needs it before its first sandbox, and refuses to set it twice. */
export const sbxInitArgs: Args = ['policy', 'init', 'deny-all'];

export const sbxAllowArgs = (name: string, hosts: readonly string[]): Args => ['policy', 'allow', 'network', '--sandbox', name, hosts.join(',')];

export const sbxCheckArgs = (name: string, target: string): Args => ['policy', 'check', 'network', '--sandbox', name, '--json', target];

export const networkLogArgs = (cli: DockerCli, name: string): Args =>
  cli.flavour === 'sbx' ? ['policy', 'log', name, '--json', '--type', 'network'] : ['sandbox', 'network', 'log', '--json'];

export function dockerProxyArgs(name: string, hosts: readonly string[]): Args {
  return ['sandbox', 'network', 'proxy', name, '--policy', 'deny', ...hosts.flatMap((host) => ['--allow-host', host])];
}

export interface DockerSandboxOptions {
  readonly cli: DockerCli;
  /** The folder that the sandbox shares with the host. Its path names the sandbox. */
  readonly project: string;
  /** project: the top of the operator's work tree. copies: a folder with copies of it; no git of the host opens these. */
  readonly shares: 'project' | 'copies';
  /** Other folders that commands may work in, such as those of worktrees and tasks. Ralph creates missing ones, since a sandbox gets its folders only once. */
  readonly extraPaths: readonly string[];
  /**
   * Paths below those folders that commands may read but not write, because git and Ralph obey them. A path that does not exist when the sandbox is created is
   * left out.
   */
  readonly readOnlyPaths: readonly string[];
  readonly agentKind: string;
  /** The name of Docker's template for this kind of agent; null: it has none. */
  readonly template: string | null;
  /** The logins of all agents. */
  readonly logins: readonly AgentLogin[];
  /** All hosts that may be reached, including the model's. Docker matches `*.host` for one level of names only. */
  readonly hosts: readonly string[];
  /** The operator's home. Agents' logins are kept in its `.dclaude_state`. */
  readonly home: string;
  /** The single-file hook entry. It has the same path inside the sandbox. */
  readonly hookEntry: string;
  /** The environment of the loop, for Docker's command line itself. */
  readonly env: Variables;
  /** True when no other run has commands in the same sandbox, so that it may be stopped and started. False for a child of a run that has some. */
  readonly alone: boolean;
  readonly warn: (text: string) => void;
  readonly onRefused: (refusal: SandboxRefusal) => void;
  readonly settleMs?: number;
}

export const commandOf = (cli: DockerCli): string => [cli.file, ...cli.prefix].join(' ');

/** The sandbox is not available. A run that asks for it stops. */
export function unavailable(what: string, hint: string): OperatorError {
  return new OperatorError('sandbox-unavailable', what, { hint, exitCode: 4 });
}

/** A command of Docker's failed. The error quotes what Docker said. */
export function dockerFailed(cli: DockerCli, doing: string, said: Pick<Captured, 'stdout' | 'stderr' | 'started'>): OperatorError {
  const words = `${said.stderr}\n${said.stdout}`;
  const last = lastLine(said.stderr) || lastLine(said.stdout) || 'it ended without a word';
  return unavailable(`The Docker sandbox cannot be used: ${doing} failed: ${oneLine(last)}`, hintFor(cli, words, said.started));
}

const NOT_SIGNED_IN = /not (signed|logged) in|not authenticated|authentication required|unauthorized|(sbx|docker) login/i;
const NO_ENGINE = /cannot connect|connection refused|daemon|engine|docker desktop|socket|took longer than/i;

function hintFor(cli: DockerCli, words: string, started: boolean): string {
  const command = commandOf(cli);
  if (!started) return `"${cli.file}" is no longer there. Install it again, or use --no-sandbox.`;
  if (NOT_SIGNED_IN.test(words)) return cli.flavour === 'sbx' ? 'Sign in with "sbx login".' : 'Sign in with "docker login".';
  if (NO_ENGINE.test(words)) return `Does "${command} ls" answer? ${cli.flavour === 'sbx' ? 'Try "sbx daemon start".' : 'Start Docker Desktop.'}`;
  return `See what "${command} ls" says, or use --no-sandbox.`;
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim() ?? '';
