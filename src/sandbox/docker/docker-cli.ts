/**
 * One of the two command lines Docker has had for its sandboxes. sbx: the standalone one. docker: the plugin of Docker Desktop, deprecated in 2026-04 and
 * removed by 2026-07, for those who still have it.
 */
export interface DockerCli {
  readonly flavour: 'sbx' | 'docker';
  readonly file: string;
  /** What stands before every command. */
  readonly prefix: readonly string[];
}

export const SBX: DockerCli = { flavour: 'sbx', file: 'sbx', prefix: [] };
export const DOCKER_SANDBOX: DockerCli = { flavour: 'docker', file: 'docker', prefix: ['sandbox'] };

export type Variables = Readonly<Record<string, string>>;
