import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import type { Git, Variables } from './git-command.ts';

export interface PlainRepository {
  readonly topLevel: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/** Lines of a `.git/config` that say nothing about where a repository lies: sections and plain values. */
const HARMLESS = /^\s*(?:[#;].*|\[(?:core|user|remote "[^"\\]*"|branch "[^"\\]*")\]|(?!worktree\b)[a-z][a-z0-9-]*\s*=\s*[^"\\#;]*)?$/i;
const BARE = /^\s*bare\s*=\s*(?!false\s*$)\S/im;
const NEWER = /^\s*repositoryformatversion\s*=\s*(?!0\s*$)\S/im;
const HEAD = /^(?:ref: refs\/heads\/\S+|[0-9a-f]{40})\s*$/;

/**
 * The repository whose top is this very folder, if it is so plain that git need not be asked for its location, which saves a process. Null says nothing: ask
 * git. For readers only: whoever writes or runs anything there opens the repository with git.
 */
export function plainRepository(cwd: string, env: Variables): PlainRepository | null {
  const gitDir = join(cwd, '.git');
  try {
    if (Object.keys(env).some((name) => name.startsWith('GIT_CONFIG')) || realpathSync(cwd) !== cwd || !hasGit(env)) return null;
    if (!isOurFolder(cwd) || !isOurFolder(gitDir) || !isOurFolder(join(gitDir, 'objects')) || !isOurFolder(join(gitDir, 'refs'))) return null;
    if (lstatSync(join(gitDir, 'commondir'), { throwIfNoEntry: false }) !== undefined) return null;
    const config = readFileSync(join(gitDir, 'config'), 'utf8');
    const isPlain = config.split('\n').every((line) => HARMLESS.test(line)) && !BARE.test(config) && !NEWER.test(config);
    return isPlain && HEAD.test(readFileSync(join(gitDir, 'HEAD'), 'utf8')) ? { topLevel: cwd, gitDir, commonDir: gitDir } : null;
  } catch {
    return null;
  }
}

/** Git asks whether a folder of another owner is trusted. */
function isOurFolder(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === process.getuid?.();
}

/** Without git there is no repository, whatever the folder contains. */
function hasGit(env: Variables): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && (statSync(join(folder, 'git'), { throwIfNoEntry: false })?.isFile() ?? false));
}

/** Git for Ralph's own questions, in that folder. Most callers ask it only where the files do not tell, so what starts it is loaded then. */
export function gitAt(folder: string, env: Variables): Git {
  return async (args, own) => {
    const { openGitCommand } = await import('./git-command.ts');
    return await openGitCommand(folder, withoutGitVariables(env))(args, own);
  };
}
