import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { homeOfUser } from '../process/surroundings.ts';

type Env = Readonly<Record<string, string>>;

/** Where sockets go. A user id need not have a name, a home or a session: containers start such. */
export function runtimeFolder(env: Env): string {
  return absolute(env['XDG_RUNTIME_DIR']) ?? join('/tmp', `ralph-${process.getuid?.() ?? 'user'}`);
}

/** Where what may be forgotten is kept. */
export function cacheFolder(env: Env): string {
  return join(absolute(env['XDG_CACHE_HOME']) ?? join(homeFolder() ?? tmpdir(), '.cache'), 'ralph');
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
