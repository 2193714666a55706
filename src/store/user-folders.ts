import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Place } from '../engine/ports/ports.ts';
import { makeFolder } from '../kit/files/write.ts';
import { homeOfUser } from '../process/io.ts';

type Env = Readonly<Record<string, string>>;

/** Where sockets go. A user id need not have a name, a home or a session: containers start such. */
export function runtimeFolder(env: Env): string {
  return absolute(env['XDG_RUNTIME_DIR']) ?? join('/tmp', `ralph-${process.getuid?.() ?? 'user'}`);
}

/** Where what may be forgotten is kept. */
export function cacheFolder(env: Env): string {
  return join(absolute(env['XDG_CACHE_HOME']) ?? join(homeFolder() ?? tmpdir(), '.cache'), 'ralph');
}

/** Where the operator's own things lie that no run may lose. Null without a home. */
export function configFolder(env: Env): string | null {
  const home = homeFolder();
  const base = absolute(env['XDG_CONFIG_HOME']) ?? (home === null ? null : join(home, '.config'));
  return base === null ? null : join(base, 'ralph');
}

/** Null when nobody can say: no HOME, and a user id without a name. */
function homeFolder(): string | null {
  try {
    return absolute(homeOfUser());
  } catch {
    return null;
  }
}

/** As the XDG specification has it: what is empty or relative counts as unset, else we would write into the workspace. */
const absolute = (path: string | undefined) => (path !== undefined && isAbsolute(path) ? path : null);

/** All but the settings and the keys that receipts are verified with, itself included. */
const HIDE_ALL_BUT_SETTINGS = '*\n!settings.json\n!receipt-keys/\n!receipt-keys/*.pub\n';

/**
 * Makes `.ralph/` in a workspace that is there, and hides our files in it from git, also where an agent makes the repository later. A
 * .gitignore that is there already is the user's and stays. False: a link or a file lies in its place, and nothing is written through it.
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

/** Where gates keep their logs: in the view, for agents to read, or in the run's own folder where the view is not ours any more. */
export async function logFolderOf({ viewFolder, runFolder }: Place): Promise<string> {
  return (await makeViewFolder(viewFolder)) ? viewFolder : runFolder;
}
