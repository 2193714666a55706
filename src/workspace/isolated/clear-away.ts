import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { capture } from '../../process/capture.ts';
import { GIT_TIMEOUT_MS, type Variables } from '../git/git-command.ts';

/** Makes everything below a folder readable for its owner again, whatever an agent did to it. Follows no link. */
export async function makeReadable(folder: string, env: Variables): Promise<void> {
  await capture({ file: 'chmod', args: ['-R', 'u+rwX', '--', folder], ...waysIn(folder, env) });
}

/** Removes a folder even if it is read-only, or has paths that are too long. Returns why it could not, or null if the folder is gone. */
export async function clearAway(folder: string, env: Variables): Promise<string | null> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    return null;
  } catch {
    await makeReadable(folder, env);
    const { code, stderr } = await capture({ file: 'rm', args: ['-rf', '--', folder], ...waysIn(folder, env) });
    return code === 0 ? null : stderr.trim();
  }
}

const waysIn = (folder: string, { PATH = '' }: Variables) => ({ cwd: dirname(folder), env: { PATH, LC_ALL: 'C' }, timeoutMs: 5 * GIT_TIMEOUT_MS });
