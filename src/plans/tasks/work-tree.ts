import { resolve } from 'node:path';
import { gitAt, plainRepository } from '../../workspace/git/plain-repository.ts';

/** The caller's folder and environment. */
export interface CallerPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The caller's work tree. Without git it is the folder itself. */
export interface WorkTree {
  readonly top: string;
  /** The folder that every worktree of the repository shares; null without git. */
  readonly commonDir: string | null;
  /** Whether Ralph made it, for a task or for a run. */
  readonly isOurs: boolean;
}

/** The branches that Ralph makes. */
const OUR_BRANCH = /^ralph\//;

export async function workTreeAt({ cwd, env }: CallerPlace): Promise<WorkTree> {
  const plain = plainRepository(cwd, env);
  // A worktree of Ralph's is never the repository itself.
  if (plain !== null) return { top: plain.topLevel, commonDir: plain.commonDir, isOurs: false };
  const git = gitAt(cwd, env);
  const { code, stdout } = await git(['rev-parse', '--git-common-dir', '--git-dir', '--show-toplevel']);
  const [commonDir, gitDir, top] = code === 0 ? stdout.split('\n') : [];
  if (!commonDir || !gitDir || !top) return await withoutGit({ cwd, env });
  const [shared, own] = [resolve(cwd, commonDir), resolve(cwd, gitDir)];
  const isOurs = shared !== own && OUR_BRANCH.test((await git(['symbolic-ref', '--quiet', '--short', 'HEAD'])).stdout);
  return { top, commonDir: shared, isOurs };
}

/** A repository that git refuses to read is an error here too, not a missing one. */
async function withoutGit({ cwd, env }: CallerPlace): Promise<WorkTree> {
  const { openGitCli } = await import('../../workspace/git/git-cli.ts');
  await (await openGitCli(cwd, env))?.[Symbol.asyncDispose]();
  return { top: cwd, commonDir: null, isOurs: false };
}
