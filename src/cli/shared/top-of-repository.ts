import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The first folder above with a `.git`; null outside of a repository. For readers that must not start git: it may be no repository of git's liking. */
export function topOfRepository(cwd: string): string | null {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return null;
  }
}
