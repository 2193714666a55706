import { join } from 'node:path';
import { pathExists } from '../../../kit/files/read.ts';
import { oneLine } from '../../../kit/pure/text.ts';
import { capture } from '../../../process/capture.ts';
import { firstComplaint, GIT_TIMEOUT_MS, type Git, type Variables } from '../git-command.ts';
import { mayHoldRepositories } from '../git-nested.ts';
import type { GitPlace } from '../git-place.ts';

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

const MOST = 20;

/** How git complains about a file that it does not add, and how we report it. */
const COMPLAINTS: readonly (readonly [said: RegExp, why: (found: string) => string])[] = [
  [/^error: '(?<path>.+?)\/?' does not have a commit checked out$/, () => 'a repository of its own without a commit'],
  [/^error: open\("(?<path>.+)"\): (?<why>.+)$/, (why) => why],
  [/^error: readlink\("(?<path>.+)"\): (?<why>.+)$/, (why) => why],
  [/^warning: could not open directory '(?<path>.+?)\/?': (?<why>.+)$/, (why) => why],
];

interface Added {
  readonly parent: string | null;
  readonly tree: string;
  /** Git's output while it read the files. */
  readonly said: string;
}

/** What is in the working copy and not in the commit, one short line each. The variables are those of an index with everything that could be added. */
export async function leftOut(git: Git, added: Added, own: Variables): Promise<readonly string[]> {
  const hasRepositories = await mayHoldRepositories(own['GIT_INDEX_FILE'] ?? '');
  const inside = hasRepositories ? [...(await newRepositories(git, added, own)), ...(await dirtySubmodules(git, own))] : [];
  const lines = [...refusedFiles(added.said), ...inside];
  if (lines.length <= MOST) return lines;
  return [...lines.slice(0, MOST - 1), `and ${lines.length - MOST + 1} more`];
}

function refusedFiles(said: string): readonly string[] {
  const lines = said.split('\n').flatMap((line) => {
    for (const [pattern, why] of COMPLAINTS) {
      const found = pattern.exec(line)?.groups;
      if (found) return [oneLine(`${found['path']}: ${why(found['why'] ?? '')}`)];
    }
    return [];
  });
  return [...new Set(lines)];
}

/** A generator or a clone makes such a folder: git takes it for a submodule that nobody can fetch, and keeps none of its files. */
async function newRepositories(git: Git, { parent, tree }: Added, own: Variables): Promise<readonly string[]> {
  const from = parent ?? (await git(['hash-object', '-t', 'tree', '/dev/null'], own)).stdout.trim();
  const { stdout } = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, tree], own);
  const paths = [...stdout.matchAll(/:\d+ 160000 [^\0]+ [AT]\0([^\0]+)\0/g)].map(([, path = '']) => path);
  if (paths.length === 0) return [];
  const { stdout: known } = await git(['config', '--blob', `${tree}:.gitmodules`, '-z', '--get-regexp', '\\.path$'], own);
  const submodules = new Set(known.split('\0').map((entry) => entry.slice(entry.indexOf('\n') + 1)));
  return paths.filter((path) => !submodules.has(path)).map((path) => oneLine(`${path}: a repository of its own, whose files are not kept`));
}

/** The tree has the commit of a submodule, but not the uncommitted changes inside it. */
async function dirtySubmodules(git: Git, own: Variables): Promise<readonly string[]> {
  const { stdout } = await git(['diff-files', '--raw', '-z', '--ignore-submodules=none'], own);
  const paths = [...stdout.matchAll(/:160000 160000 [^\0]+\0([^\0]+)\0/g)].map(([, path = '']) => path);
  return paths.map((path) => oneLine(`${path}: what was changed in this submodule and not committed there`));
}
