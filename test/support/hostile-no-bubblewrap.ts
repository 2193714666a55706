import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CLI, cleanEnv } from './ralph.ts';

export interface ToldRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built CLI on a machine without bubblewrap: in a namespace of its own the program is covered by something that cannot be run. */
export async function ralphWithoutBubblewrap(
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ToldRun> {
  const cover = 'for file in /usr/bin/bwrap /usr/local/bin/bwrap; do [ ! -e "$file" ] || mount --bind /dev/null "$file" || exit 99; done; exec "$@"';
  const words = ['--user', '--map-root-user', '--mount', 'sh', '-c', cover, 'sh', process.execPath, CLI, ...args];
  const child = spawn('unshare', words, { cwd: where.cwd, env: cleanEnv(where.cwd, where.env), stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
