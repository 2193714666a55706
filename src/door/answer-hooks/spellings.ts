import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode } from '../../kit/files/has-code.ts';

/** Where a path leads: its own name in a folder without links, and what that name links to. It need not be there. */
export function spellingsOf(path: string, cwd: string): readonly string[] {
  const absolute = resolve(cwd, path);
  const named = join(realOf(dirname(absolute)), basename(absolute));
  return [...new Set([named, realOf(absolute)])];
}

/** Without links, as far as it is there. Throws for what is no path at all. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error;
    const above = dirname(path);
    return above === path ? path : join(realOf(above), basename(path));
  }
}
