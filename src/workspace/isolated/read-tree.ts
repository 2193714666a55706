import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnGit, WallCall, WallPort } from '../../engine/ports/wall.ts';
import { firstComplaint, GIT_TIMEOUT_MS, NOTHING_REPLACED, NOTHING_RUN, type Variables } from '../git/git-command.ts';
import { runBehind } from '../own-git/run-behind.ts';
import { GitTrouble } from '../tasks/locks.ts';
import { type Change, changesIn, isAtOrBelow, isNewRepository, type TreePath } from './tree-changes.ts';

/** Where a reader stands. */
export interface ReaderPlace {
  /** The top of the work tree, and what lies there inside: the operator's own files, or those of a folder. */
  readonly root: string;
  readonly ownFolder: WallCall['ownFolder'];
  readonly commonDir: string;
  readonly env: Variables;
  /** A repository of ours, laid over the operator's: nothing an agent wrote is in it but objects. */
  readonly reader: OwnGit;
  /** Its index for these files: it stays warm. */
  readonly index: 'here' | 'there';
  /** For what it prints. */
  readonly folder: string;
}

export interface ReadTree {
  readonly tree: string;
  /** Since the tree that was asked about. */
  readonly changes: readonly Change[];
  /** Ignored files, and whole folders with a slash at their end. */
  readonly ignored: readonly TreePath[];
  /** Folders that are repositories of their own. */
  readonly repositories: readonly TreePath[];
}

const WAYS = [...NOTHING_RUN, ...['core.looseCompression=0', 'core.splitIndex=false', 'advice.addEmbeddedRepo=false'].flatMap((way) => ['-c', way])].join(' ');

/**
 * Git believes that a file is the same if its size and its times are, to the second, and an agent can set most of these. So all files whose change time is newer
 * than the last look are read again: nobody sets that one.
 */
const distrust = (shared: readonly string[]) => `
if [ -e "$GIT_INDEX_FILE.seen" ]; then newer=$GIT_INDEX_FILE.seen; else newer=; fi
find . -name .git -prune ${shared.map((name) => `-o -path ${quoted(`./${name.replaceAll(/[*?[\]\\]/g, '\\$&')}`)} -prune`).join(' ')} -o -type f \${newer:+-newercm} \${newer:+"$newer"} -print0 > "$GIT_INDEX_FILE.newer" || exit
if [ -s "$GIT_INDEX_FILE.newer" ]; then
  xargs -0 git --literal-pathspecs ls-files -s -z -- < "$GIT_INDEX_FILE.newer" > "$GIT_INDEX_FILE.entries" || exit
  git update-index -z --index-info < "$GIT_INDEX_FILE.entries" || exit
  # What is the same after all is not written once more.
  git ${WAYS} update-index -q --really-refresh > "$GIT_INDEX_FILE.newer"
fi
: > "$GIT_INDEX_FILE.seen"
`;

/** Says the tree, an empty field, the changes, an empty field, and what is ignored. `$1` is the tree before; the others are covered repositories. */
const scriptFor = (shared: readonly string[] | undefined) => `
since=$1; shift
rm -f "$GIT_INDEX_FILE.lock"
${shared === undefined ? '' : distrust(shared)}
for covered; do git ${WAYS} update-index --force-remove -- "$covered" || exit; done
git ${WAYS} add --all --ignore-errors -- :/ || [ $? = 1 ] || exit
tree=$(git ${WAYS} write-tree) || exit
printf '%s\\0\\0' "$tree"
if [ "$tree" != "$since" ]; then
  git ${WAYS} diff-tree -r -z --raw --no-renames --no-abbrev "\${since:-$(git hash-object -t tree /dev/null)}" "$tree" || exit
fi
printf '\\0'
git ${WAYS} ls-files -z --others --ignored --exclude-standard --directory --no-empty-directory
`;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Agents may make repositories in repositories; deeper ones come to light when the outer one is covered. */
const DEEPEST = 5;

/**
 * Names the files of a work tree by their tree. It runs behind the wall, without a network, and cannot write the files: what filters and attributes make git run
 * runs there. A repository that lies in a folder of an agent is covered, so that its files are read as files.
 */
export async function readTree(wall: WallPort, place: ReaderPlace, since: string): Promise<ReadTree> {
  const covered = new Set<TreePath>();
  const shared = (place.ownFolder?.shared ?? []).map((name) => Buffer.from(name).toString('latin1'));
  for (let round = 0; ; round += 1) {
    const read = await readOnce(wall, place, { since, covered: [...covered] });
    const found = place.ownFolder ? read.repositories.filter((path) => !covered.has(path) && !isAtOrBelow(path, shared)) : [];
    if (found.length === 0 || round === DEEPEST) return read;
    for (const path of found) covered.add(path);
  }
}

interface Reading {
  readonly since: string;
  readonly covered: readonly TreePath[];
}

async function readOnce(
  wall: WallPort,
  { root, ownFolder, commonDir, env, reader, index, folder }: ReaderPlace,
  { since, covered }: Reading,
): Promise<ReadTree> {
  const names = covered.map((path) => Buffer.from(path, 'latin1').toString());
  const call: WallCall = {
    ...{ who: 'gate', judges: true, isOffline: true, ownGit: reader },
    ...(ownFolder && { ownFolder: { ...ownFolder, covered: names.flatMap((name) => coverOf(ownFolder.folder, name)) } }),
    ...{ file: '/bin/sh', args: ['-c', scriptFor(ownFolder?.shared), 'sh', since, ...names], cwd: root },
    env: {
      ...{ PATH: env['PATH'] ?? '', HOME: env['HOME'] ?? '/', LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', ...NOTHING_REPLACED },
      ...(env['XDG_CONFIG_HOME'] !== undefined && { XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'] }),
      ...{ GIT_DIR: commonDir, GIT_WORK_TREE: root, GIT_INDEX_FILE: join(commonDir, index) },
    },
  };
  const file = join(folder, randomUUID());
  const { isGood, said } = await runBehind(wall, call, { stdin: '', file, timeoutMs: 10 * GIT_TIMEOUT_MS });
  const printed = await readFile(file, 'latin1').catch(() => '');
  await rm(file, { force: true });
  if (!isGood) throw new GitTrouble(`the files of ${root} cannot be read: ${firstComplaint({ stderr: said })}`);
  return { ...parsed(printed), repositories: [...repositoriesIn(printed, said)] };
}

/** What must not be seen of a repository, for git to see files in its place. */
function coverOf(folder: string, name: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  const found = lstatSync(join(folder, name, '.git'), { throwIfNoEntry: false });
  return found === undefined ? [] : [{ path: `${name}/.git`, isFolder: found.isDirectory() }];
}

function parsed(printed: string): Omit<ReadTree, 'repositories'> {
  const [tree = '', , ...rest] = printed.split('\0');
  const end = rest.indexOf('');
  return { tree, changes: changesIn(rest.slice(0, end)), ignored: rest.slice(end + 1).filter((path) => path !== '') };
}

/** Git tells of one without a commit only by complaining. */
function* repositoriesIn(printed: string, said: string): Generator<TreePath> {
  for (const change of parsed(printed).changes) if (isNewRepository(change)) yield change.path;
  for (const [, path = ''] of said.matchAll(/^error: '(.+)\/' does not have a commit checked out$/gm)) yield Buffer.from(path).toString('latin1');
}
