import { join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';

/** Submodules would need their own repositories, and refs of a reftable are not files. */
const SHARED = ['modules', 'reftable'];

/** False: agents share such a repository directly. */
export async function canHaveOwnGit(commonDir: string): Promise<boolean> {
  const found = await Promise.all(SHARED.map((name) => pathExists(join(commonDir, name))));
  return !found.includes(true);
}
