import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Place } from '../engine/ports/ports.ts';
import { makeFolder } from '../kit/files/write.ts';
import { homeOfUser } from '../process/io.ts';

type Env = Readonly<Record<string, string>>;

/** The folder for sockets. It works for a user id without a name, a home or a session, which containers have. */
export function runtimeFolder(env: Env): string {
  return absolute(env['XDG_RUNTIME_DIR']) ?? join('/tmp', `ralph-${process.getuid?.() ?? 'user'}`);
}

/** The folder for caches, which may be deleted. */
export function cacheFolder(env: Env): string {
  return join(absolute(env['XDG_CACHE_HOME']) ?? join(homeFolder() ?? tmpdir(), '.cache'), 'ralph');
}

/** The folder for the operator's own files, which no run may lose. Null without a home. */
export function configFolder(env: Env): string | null {
  const home = homeFolder();
  const base = absolute(env['XDG_CONFIG_HOME']) ?? (home === null ? null : join(home, '.config'));
  return base === null ? null : join(base, 'ralph');
}

/** The folder for what Ralph remembers from run to run and can learn again. Null without a home. */
export function stateFolder(env: Env): string | null {
  const home = homeFolder();
  const base = absolute(env['XDG_STATE_HOME']) ?? (home === null ? null : join(home, '.local', 'state'));
  return base === null ? null : join(base, 'ralph');
}

/** Null if it is unknown: no HOME, and a user id without a name. */
function homeFolder(): string | null {
  try {
    return absolute(homeOfUser());
  } catch {
    return null;
  }
}

/** As the XDG specification says: an empty or relative path counts as unset. Otherwise we would write into the workspace. */
const absolute = (path: string | undefined) => (path !== undefined && isAbsolute(path) ? path : null);

/** Hides everything, itself included, except the settings and the public keys of receipts. */
const HIDE_ALL_BUT_SETTINGS = '*\n!settings.json\n!receipt-keys/\n!receipt-keys/*.pub\n';

/**
 * Creates `.ralph/` in an existing workspace and hides our files in it from git, even if an agent creates the repository later. An existing
 * .gitignore belongs to the user and stays. False if there is a link or a file at that path; then nothing is written.
 */
export async function makeViewFolder(viewFolder: string): Promise<boolean> {
  try {
    await makeFolder(viewFolder, 0o755);
  } catch {
    return false;
  }
  await writeFile(join(viewFolder, '.gitignore'), HIDE_ALL_BUT_SETTINGS, { flag: 'wx' }).catch(() => undefined);
  return true;
}

/** The folder for the logs of gates: the view, so that agents can read them, or the run's folder if somebody replaced the view. */
export async function logFolderOf({ viewFolder, runFolder }: Place): Promise<string> {
  return (await makeViewFolder(viewFolder)) ? viewFolder : runFolder;
}
