import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { packagePath } from '../../kit/files/package-root.ts';
import type { DockerCommands } from './docker-commands.ts';
import { execArgs } from './docker-grammar.ts';
import { writeEnvFile } from './env-file.ts';
import { commandOf, unavailable } from './sandbox-trouble.ts';

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
export async function furnishSandbox(commands: DockerCommands, furniture: Furniture): Promise<void> {
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
