import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Git, Variables } from './git-command.ts';

/** The environment of a git that has to run outside of the wall, with the operator's keys and network. */
export interface OutsideEnvironment {
  readonly env: Variables;
  /** The folder whose hooks do not run with it, for the operator to be told; null: all do. */
  readonly silenced: string | null;
}

interface Place {
  readonly git: Git;
  readonly topLevel: string;
  readonly commonDir: string;
}

/**
 * Hooks that are files of the work tree, as `core.hooksPath=.husky` has them, are what an agent may have written: they do not run outside of
 * the wall, be it by a push. Those in git's own folder are the operator's, and do.
 */
export async function outsideEnvironment({ git, topLevel, commonDir }: Place, env: Variables): Promise<OutsideEnvironment> {
  const { stdout } = await git(['config', '--type=path', '--show-scope', '-z', '--get-all', 'core.hooksPath']);
  const fields = stdout.split('\0');
  // What we say ourselves, so that no hook runs by us, is no setting of anybody's.
  const set = fields.filter((_, index) => index % 2 === 1 && fields[index - 1] !== 'command').at(-1);
  if (set === undefined) return { env, silenced: null };
  const named = resolve(topLevel, set);
  const hooks = await realpath(named).catch(() => named);
  const isWithinReach = [named, hooks].some((path) => isInside(topLevel, path) && !isInside(commonDir, path));
  return isWithinReach ? { env: withNoHooks(env), silenced: named } : { env, silenced: null };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

/** Behind the settings that the environment has already. */
function withNoHooks(env: Variables): Variables {
  const count = Number(env['GIT_CONFIG_COUNT'] ?? 0);
  return { ...env, GIT_CONFIG_COUNT: String(count + 1), [`GIT_CONFIG_KEY_${count}`]: 'core.hooksPath', [`GIT_CONFIG_VALUE_${count}`]: '/dev/null' };
}
