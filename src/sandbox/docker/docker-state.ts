import type { DockerCli, Variables } from './docker-cli.ts';
import { openDockerCommands } from './docker-commands.ts';
import { findDocker } from './find-docker.ts';
import { isNameOf, sandboxName } from './sandbox-name.ts';

export interface DockerState {
  /** Null: there is no Docker with sandboxes. */
  readonly cli: DockerCli | null;
  readonly name: string | null;
  /** Whether Docker is set up for this project: a sandbox was once made for it, of whatever agent. */
  readonly exists: boolean;
}

/** What Docker has for a project. Never rejects: a Docker that does not answer has nothing. */
export async function dockerState(env: Variables, project: string): Promise<DockerState> {
  const cli = await findDocker(env, project);
  if (cli === null) return { cli: null, name: null, exists: false };
  const rows = await openDockerCommands(cli, env, project)
    .list()
    .catch(() => []);
  const found = rows.find(({ name, workspaces }) => isNameOf(cli, project, name) && (workspaces?.includes(project) ?? true));
  return { cli, name: found?.name ?? sandboxName(cli, project), exists: found !== undefined };
}
