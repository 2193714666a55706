import { join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { capture } from '../../process/capture.ts';
import { firstComplaint, GIT_TIMEOUT_MS, type Git } from './git-command.ts';
import type { GitPlace } from './git-place.ts';

const ended = (word: string) => `finish it with \`git ${word} --continue\` or drop it with \`git ${word} --abort\``;

/** The files that git keeps in the worktree's folder during an operation. The first that exists names the operation. */
const UNDER_WAY: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', `a rebase is under way: ${ended('rebase')}`],
  ['rebase-apply/applying', `patches are being applied: ${ended('am')}`],
  ['rebase-apply', `a rebase is under way: ${ended('rebase')}`],
  ['MERGE_HEAD', `a merge is under way: ${ended('merge')}`],
  ['CHERRY_PICK_HEAD', `a cherry-pick is under way: ${ended('cherry-pick')}`],
  ['REVERT_HEAD', `a revert is under way: ${ended('revert')}`],
  ['sequencer/todo', `several commits are being picked or reverted: ${ended('cherry-pick')}`],
  ['BISECT_LOG', 'a bisect is under way, and its end would leave the commit behind: end it first with `git bisect reset`'],
];

/** The words are the operator's git command, which may name an author. */
export async function obstacle(place: GitPlace, words: readonly string[]): Promise<string | null> {
  return (await underWay(place.gitDir)) ?? (await unmerged(place.git)) ?? (await nobodyToName(place, words));
}

/** Does not check for conflicts: `read-tree` reports them when the tree is put into the index. */
export async function obstacleToCommit(place: GitPlace, words: readonly string[]): Promise<string | null> {
  return (await underWay(place.gitDir)) ?? (await nobodyToName(place, words));
}

async function underWay(gitDir: string): Promise<string | null> {
  for (const [file, what] of UNDER_WAY) if (await pathExists(join(gitDir, file))) return what;
  return null;
}

export async function unmerged(git: Git): Promise<string | null> {
  const { code, stdout, stderr } = await git(['ls-files', '--unmerged', '-z', '--full-name', '--', ':/']);
  if (code !== 0) return `git cannot read its index: ${firstComplaint({ stderr })}`;
  const path = stdout.split('\0', 1)[0]?.split('\t')[1];
  return path === undefined ? null : `${oneLine(path)} has conflicts: resolve them and \`git add\` it`;
}

async function nobodyToName({ cwd, env, known }: GitPlace, words: readonly string[]): Promise<string | null> {
  const [file = 'git', ...args] = words;
  if (known.authors.has(words.join(' '))) return null;
  for (const name of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const asked = await capture({ file, args: [...args, 'var', name], cwd, env: { ...env, LC_ALL: 'C' }, timeoutMs: GIT_TIMEOUT_MS });
    if (!asked.started) return `${file} cannot be run: ${oneLine(asked.stderr)}`;
    if (asked.code !== 0) return nameless(lastComplaint(asked.stderr));
  }
  known.authors.add(words.join(' '));
  return null;
}

const nameless = (why: string) => `git knows no author (${why}): run \`git config user.name "…"\` and \`git config user.email "…"\``;

/** Git prints a page of advice before it. */
function lastComplaint(stderr: string): string {
  const fatal = stderr.split('\n').findLast((line) => line.startsWith('fatal: '));
  return oneLine((fatal ?? firstComplaint({ stderr })).replace(/^\w+: /, ''));
}
