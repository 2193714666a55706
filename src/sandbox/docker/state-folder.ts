import { chmod, lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../kit/files/make-folder.ts';
import { writeFresh } from '../../kit/files/open-fresh.ts';
import { unavailable } from './sandbox-trouble.ts';

/**
 * The folder of the host that holds the login of agents in sandboxes, so that it outlives them: `~/.dclaude_state`, as seed 003 has it. What is in it stays;
 * only a `.claude.json` that is missing or empty is made `{}`, since claude cannot read an empty one.
 */
export async function prepareStateFolder(home: string): Promise<string> {
  const folder = join(home, '.dclaude_state');
  try {
    await makeFolder(folder, 0o700);
    await chmod(folder, 0o700);
    await makeFolder(join(folder, '.claude'), 0o700);
    await prepareFile(join(folder, '.claude.json'));
  } catch (error) {
    throw unavailable(`The login of the agents in sandboxes cannot be kept in ${folder}: ${(error as Error).message}`, 'Make it a folder of your own.');
  }
  return folder;
}

/** What runs in a sandbox may write here: a link it has left is not followed. */
async function prepareFile(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isFile()) throw new Error(`${path} is no file`);
  if (found === null || (await readFile(path, 'utf8')).trim() === '') writeFresh(path, '{}\n');
  await chmod(path, 0o600);
}
