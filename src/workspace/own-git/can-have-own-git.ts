import { join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';

/** Submodules would need repositories of their own, and refs of that kind are no files. */
const SHARED = ['modules', 'reftable'];

/** False: such a repository is shared with its agents as it is. */
export async function canHaveOwnGit(commonDir: string): Promise<boolean> {
  const found = await Promise.all(SHARED.map((name) => pathExists(join(commonDir, name))));
  return !found.includes(true);
}
