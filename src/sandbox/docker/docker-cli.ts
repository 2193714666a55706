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
