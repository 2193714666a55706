import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { homeOfUser } from '../../process/io.ts';
import { isBelow } from '../../sandbox/os/mount-plan.ts';
import { copiesOf } from '../../workspace/copy/copy-folder.ts';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import { canHaveOwnGit } from '../../workspace/own-git/make-own-git.ts';

/** Why agents must work in the operator's own files; null when they can have an isolated folder. */
export async function whyNotIsolated(git: Pick<GitCli, 'commonDir' | 'topLevel'>): Promise<string | null> {
  return process.platform === 'linux' ? await whyNotOwnFiles(git) : 'isolated folders need Linux';
}

/** The same for a copy. */
export async function whyNotCopy(git: Pick<GitCli, 'commonDir' | 'topLevel'>): Promise<string | null> {
  const beside = dirname(dirname(copiesOf(git)));
  const isWritable = await access(beside, constants.W_OK).then(
    () => true,
    () => false,
  );
  return isWritable ? await whyNotOwnFiles(git) : `no copy can be made in ${beside}`;
}

async function whyNotOwnFiles({ commonDir, topLevel }: Pick<GitCli, 'commonDir' | 'topLevel'>): Promise<string | null> {
  if (!(await canHaveOwnGit(await realpath(commonDir).catch(() => commonDir)))) return 'the repository has submodules, or keeps its refs as a reftable';
  const [home, top] = [await realHome(), await realpath(topLevel).catch(() => null)];
  // Git ends a line where its path has one.
  if (top === null) return 'git cannot report the path of the work tree';
  return home !== null && isBelow(home, top) ? 'the work tree contains your home folder' : null;
}

/** Null when the home folder is unknown or missing. */
export async function realHome(): Promise<string | null> {
  try {
    return await realpath(homeOfUser());
  } catch {
    return null;
  }
}
