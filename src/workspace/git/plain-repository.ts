import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Variables } from './git-command.ts';

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
 * The repository whose top is this very folder, if it is so plain that there is no need to ask git where it lies: a question that costs a process. Null says
 * nothing: git must be asked. It is for readers; who writes or runs anything there opens the repository by git.
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

/** Where others may write git asks whether we trust them. */
function isOurFolder(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === process.getuid?.();
}

/** Without git there is no repository, whatever lies there. */
function hasGit(env: Variables): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => folder !== '' && (statSync(join(folder, 'git'), { throwIfNoEntry: false })?.isFile() ?? false));
}
