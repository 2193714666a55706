import type { DockerCli } from './docker-cli.ts';

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
