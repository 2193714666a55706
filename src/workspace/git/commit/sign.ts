import { rm } from 'node:fs/promises';
import type { CommitRequest, MadeCommit } from '../../../engine/ports/git.ts';
import { makeTemporaryFolder } from '../../../process/temporary-folder.ts';
import { withoutGitVariables } from '../../../sandbox/environment/environment.ts';
import { firstComplaint, type Git, openGitCommand, type Variables } from '../git-command.ts';
import { feedGit } from '../git-feed.ts';
import type { CommitPlace } from '../git-place.ts';

/** Whether the operator wants a signed commit: the last flag counts, else the settings, which are asked once. */
export async function wantsSignature(git: Git, { flags }: Pick<CommitRequest, 'flags'>, known: { signs?: Promise<boolean> } = {}): Promise<boolean> {
  const said = flags.filter((flag) => /^(?:-S|--gpg-sign|--no-gpg-sign)/.test(flag)).at(-1);
  if (said !== undefined) return said !== '--no-gpg-sign';
  known.signs ??= git(['config', '--type=bool', '--get', 'commit.gpgSign']).then(({ stdout }) => stdout.trim() === 'true');
  return await known.signs;
}

/** Keeps git from signing inside a sandbox, which has no keys. */
export const UNSIGNED = '--no-gpg-sign';

type Signed = MadeCommit | { readonly refused: string };

/** Makes the commit of HEAD again, signed: outside the sandbox, because the operator's keys are not inside. If that fails, HEAD goes back to its parent. */
export async function signed({ git, cwd, env }: Pick<CommitPlace, 'git' | 'cwd' | 'env'>, made: MadeCommit, { flags, parent }: CommitRequest): Promise<Signed> {
  const keys = flags.filter((flag) => /^(?:-S.|--gpg-sign=)/.test(flag));
  const args = ['commit-tree', ...(keys.length === 0 ? ['-S'] : keys.slice(-1)), ...(parent === null ? [] : ['-p', parent]), made.tree];
  const { stdout: text } = await git(['cat-file', 'commit', made.commit]);
  const { isWhole, stdout, stderr } = await feedGit(
    { cwd, env },
    { args, own: whoAndWhen(text), stdin: text.slice(text.indexOf('\n\n') + 2), mostBytes: 1024 },
  );
  const commit = stdout.toString().trim();
  const moved = isWhole ? await git(['update-ref', '-m', 'commit: signed', 'HEAD', commit, made.commit]) : null;
  if (moved?.code === 0) return { commit, tree: made.tree };
  await git(parent === null ? ['update-ref', '-d', 'HEAD', made.commit] : ['update-ref', '-m', 'ralph: it could not be signed', 'HEAD', parent, made.commit]);
  return { refused: `it cannot be signed: ${firstComplaint(moved ?? { stderr })}` };
}

/** Author, committer and dates of the first commit, which hooks and the operator's settings have already determined. */
function whoAndWhen(text: string): Variables {
  const pairs = [...text.matchAll(/^(author|committer) (.*) <(.*)> (\d+ [+-]\d+)$/gm)].slice(0, 2);
  return Object.fromEntries(
    pairs.flatMap(([, who = '', name = '', email = '', date = '']) => {
      const prefix = `GIT_${who.toUpperCase()}`;
      return [
        [`${prefix}_NAME`, name],
        [`${prefix}_EMAIL`, email],
        [`${prefix}_DATE`, date],
      ];
    }),
  );
}

export interface CommitTrial {
  /** Git's own words; null if the commit was made. */
  readonly refusal: string | null;
  readonly isSigned: boolean;
}

/** Long enough to type a passphrase into a window that opens. */
const SIGNED_WITHIN_MS = 30_000;

/** Makes a signed commit object in a temporary folder and removes it, if the operator's settings or these flags of commit ask for signatures. */
export async function commitTrial(cwd: string, env: Variables, flags: readonly string[]): Promise<CommitTrial> {
  const git = openGitCommand(cwd, withoutGitVariables(env), SIGNED_WITHIN_MS);
  if (!(await wantsSignature(git, { flags }))) return { refusal: null, isSigned: false };
  const folder = await makeTemporaryFolder('commit');
  try {
    const own = { GIT_OBJECT_DIRECTORY: folder };
    const tree = (await git(['hash-object', '-t', 'tree', '-w', '/dev/null'], own)).stdout.trim();
    const key = flags.filter((flag) => /^(?:-S.|--gpg-sign=)/.test(flag)).at(-1) ?? '-S';
    const made = await git(['commit-tree', key, '-m', 'ralph: can this be signed?', tree], own);
    return { refusal: made.code === 0 ? null : firstComplaint(made), isSigned: true };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
