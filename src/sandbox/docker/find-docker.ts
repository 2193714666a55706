import { capture } from '../../process/capture.ts';
import { DOCKER_SANDBOX, type DockerCli, SBX, type Variables } from './docker-cli.ts';
import { versionArgs } from './docker-grammar.ts';

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
