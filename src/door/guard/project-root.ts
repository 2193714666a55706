import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The top of the work tree a folder lies in; the folder itself where there is no git. */
export function projectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}
