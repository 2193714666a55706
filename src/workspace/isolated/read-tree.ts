import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnGit, SandboxCall, SandboxPort } from '../../engine/ports/sandbox.ts';
import { firstComplaint, GIT_TIMEOUT_MS, NOTHING_REPLACED, NOTHING_RUN, type Variables } from '../git/git-command.ts';
import { runBehind } from '../own-git/run-behind.ts';
import { GitTrouble, orTrouble } from '../tasks/locks.ts';
import { bytesAt } from './carry.ts';
import { makeReadable } from './clear-away.ts';
import { type Change, changesIn, isAtOrBelow, isNewRepository, type TreePath } from './tree-changes.ts';

/** Where a reader stands. */
export interface ReaderPlace {
  /** The top of the work tree, and what lies there inside: the operator's own files, or those of a folder. */
  readonly root: string;
  readonly ownFolder: SandboxCall['ownFolder'];
  readonly commonDir: string;
  readonly env: Variables;
  /** A repository of ours, laid over the operator's: nothing an agent wrote is in it but objects. */
  readonly reader: OwnGit;
  /** Its index for these files: it stays warm. */
  readonly index: 'here' | 'there';
  /** For what it prints. */
  readonly folder: string;
  /** Ignored folders, by their names below the root: nothing in them lands, so nobody looks for changes there. */
  readonly ignoredFolders: readonly string[];
  /** What is ignored need not be said. */
  readonly isBrief?: boolean;
  /** Without a wall nobody is safe from who sets times to deceive git, and finding such files out needs a `find` that not every system has. */
  readonly isTrusted?: boolean;
}

export interface ReadTree {
  readonly tree: string;
  /** Since the tree that was asked about. */
  readonly changes: readonly Change[];
  /** Ignored files, and whole folders with a slash at their end. */
  readonly ignored: readonly TreePath[];
  /** Folders that are repositories of their own. */
  readonly repositories: readonly TreePath[];
  /** What git said of files that it does not take. */
  readonly complaints: readonly string[];
}

const WAYS = [
  ...NOTHING_RUN,
  ...['core.looseCompression=0', 'core.safecrlf=false', 'core.splitIndex=false', 'advice.addEmbeddedRepo=false'].flatMap((way) => ['-c', way]),
].join(' ');

/** It takes git minutes to read one. */
const LARGEST_GIB = 32;

/**
 * Git believes that a file is the same if its size and its times are, to the second, and an agent can set most of these. So all files whose change time is newer
 * than the last look are read again: nobody sets that one. And the index knows all that was brought: who ignores a file from now on has not deleted it.
 */
const distrust = (passedOver: readonly string[]) => `
if [ -e "$GIT_INDEX_FILE.seen" ]; then newer=$GIT_INDEX_FILE.seen; else newer=; fi
find . -path ./.git -prune ${pruned(passedOver)} -o -name .git -prune -fprint0 "$GIT_INDEX_FILE.gits" -o '(' -type f -o -type l ')' \${newer:+-newercm} \${newer:+"$newer"} -print0 \\
  -size +${LARGEST_GIB * 1024 * 1024}k -fprint "$GIT_INDEX_FILE.large" > "$GIT_INDEX_FILE.newer" || exit
while IFS= read -r large; do
  git check-ignore -q -- "$large" || { echo "error: $large is larger than ${LARGEST_GIB} GiB" >&2; exit 1; }
done < "$GIT_INDEX_FILE.large"
if [ -s "$GIT_INDEX_FILE.newer" ]; then
  xargs -0 git --literal-pathspecs ls-files -s -z -- < "$GIT_INDEX_FILE.newer" > "$GIT_INDEX_FILE.entries" || exit
  git update-index -z --index-info < "$GIT_INDEX_FILE.entries" || exit
  # What is the same after all is not written once more.
  git ${WAYS} update-index -q --really-refresh > "$GIT_INDEX_FILE.newer"
fi
: > "$GIT_INDEX_FILE.seen"
`;

/** The same for those who only err. */
const trust = (passedOver: readonly string[]) => `
find . -path ./.git -prune ${pruned(passedOver)} -o -name .git -prune -print0 > "$GIT_INDEX_FILE.gits" || exit
`;

const RESET = `
was=; [ ! -e "$GIT_INDEX_FILE.tree" ] || read -r was < "$GIT_INDEX_FILE.tree"
[ "$since" = "$was" ] || git ${WAYS} read-tree --reset "$since" || exit
rm -f "$GIT_INDEX_FILE.tree"
`;

const pruned = (folders: readonly string[]) => folders.map((name) => `-o -path ${quoted(`./${name.replaceAll(/[*?[\]\\]/g, '\\$&')}`)} -prune`).join(' ');

/** What is shared is the operator's: the tree has of it what it had before, also where nothing is ignored any more. */
const notShared = (shared: readonly string[]) => shared.map((name) => quoted(`:(top,exclude,literal)${name}`)).join(' ');

/**
 * Says the tree, an empty field, the changes, an empty field, what is ignored, and in the folder of an agent an empty field and each `.git`. `$1` is the tree
 * before; the others are covered repositories.
 */
const scriptFor = (shared: readonly string[] | undefined, { ignoredFolders, isBrief = false, isTrusted = false }: ReaderPlace) => `
since=$1; shift
rm -f "$GIT_INDEX_FILE.lock"
${shared === undefined ? '' : `${RESET}${(isTrusted ? trust : distrust)([...shared, ...ignoredFolders])}`}
for covered; do git ${WAYS} update-index --force-remove -- "$covered" || exit; done
git ${WAYS} add --all --sparse --ignore-errors -- :/ ${notShared(shared ?? [])} || [ $? = 1 ] || exit
tree=$(git ${WAYS} write-tree) || exit
printf '%s\\0\\0' "$tree"
if [ "$tree" != "$since" ]; then
  git ${WAYS} diff-tree -r -z --raw --no-renames --no-abbrev "\${since:-$(git hash-object -t tree /dev/null)}" "$tree" || exit
fi
printf '\\0'
${isBrief ? '' : `git ${WAYS} ls-files -z --others --ignored --exclude-standard --directory --no-empty-directory || exit`}
${shared === undefined ? '' : `echo "$tree" > "$GIT_INDEX_FILE.tree"; printf '\\0'; cat "$GIT_INDEX_FILE.gits"`}
`;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The second look sees all files; what is covered after it was made by nobody. */
const LOOKS = 3;

/**
 * Names the files of a work tree by their tree. It runs behind the wall, without a network, and cannot write the files: what filters and attributes make git run
 * runs there. A repository that lies in a folder of an agent is covered, so that its files are read as files.
 */
export async function readTree(wall: SandboxPort, place: ReaderPlace, since: string): Promise<ReadTree> {
  const covers = new Map<TreePath, Cover | null>();
  const known = () => ({ since, covers: [...covers.values()].filter((cover) => cover !== null) });
  for (let look = 1; ; look += 1) {
    const read = await readReadable(wall, place, known());
    const { ownFolder } = place;
    const ignored = read.ignored.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
    const found = ownFolder ? read.repositories.filter((path) => !covers.has(path) && !isAtOrBelow(path, ignored)) : [];
    if (ownFolder === undefined || found.length === 0 || look === LOOKS) return read;
    for (const path of found) covers.set(path, await coverOf(ownFolder.folder, path, covers.size < MOST_COVERED));
  }
}

/** What an agent has hidden from its owner is shown again: a folder without rights stops git, and a file without is passed over. */
async function readReadable(wall: SandboxPort, place: ReaderPlace, reading: Reading): Promise<ReadTree> {
  const first = await orTrouble(() => readOnce(wall, place, reading));
  const said = 'kind' in first ? first.why : first.complaints.join('\n');
  if (place.ownFolder !== undefined && DENIED.test(said)) {
    await makeReadable(place.ownFolder.folder, place.env);
    return await readOnce(wall, place, reading);
  }
  if ('kind' in first) throw new GitTrouble(first.why);
  return first;
}

const DENIED = /Permission denied/;

interface Reading {
  readonly since: string;
  readonly covers: readonly Cover[];
}

async function readOnce(wall: SandboxPort, place: ReaderPlace, { since, covers }: Reading): Promise<ReadTree> {
  const { root, ownFolder, commonDir, env, reader, index, folder } = place;
  const names = covers.map(({ path }) => path.slice(0, -'/.git'.length));
  const call: SandboxCall = {
    ...{ who: 'gate', judges: true, isOffline: true, ownGit: reader },
    ...(ownFolder && { ownFolder: { ...ownFolder, covered: covers } }),
    // The script is longer than one argument may be where many folders are shared.
    ...{ file: '/bin/sh', args: ['-c', 'eval "$(cat)"', 'sh', since, ...names], cwd: root },
    env: {
      ...{ PATH: env['PATH'] ?? '', HOME: env['HOME'] ?? '/', LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', ...NOTHING_REPLACED },
      ...(env['XDG_CONFIG_HOME'] !== undefined && { XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'] }),
      ...{ GIT_DIR: commonDir, GIT_WORK_TREE: root, GIT_INDEX_FILE: join(commonDir, index) },
    },
  };
  const file = join(folder, randomUUID());
  const { isGood, said } = await runBehind(wall, call, { stdin: scriptFor(ownFolder?.shared, place), file, timeoutMs: 10 * GIT_TIMEOUT_MS });
  const printed = await readFile(file, 'latin1').catch(() => '');
  await rm(file, { force: true });
  if (!isGood) throw new GitTrouble(`the files of ${root} cannot be read: ${firstComplaint({ stderr: said })}`);
  const { gits, ...read } = parsed(printed);
  const complaints = said.split('\n').filter((line) => /^error: |: Permission denied$|: File name too long$/.test(line) && !NO_COMMIT.test(line));
  return { ...read, complaints, repositories: ownFolder ? gits : [...repositoriesIn(read.changes, said)] };
}

type Cover = NonNullable<NonNullable<SandboxCall['ownFolder']>['covered']>[number];

/** More of them make every start slow. */
const MOST_COVERED = 100;

/**
 * What must not be seen of a repository, for git to see files in its place. Where nothing can be laid over it, since it is a link, or since its name is no
 * text, it is removed: null.
 */
async function coverOf(folder: string, path: TreePath, isWanted: boolean): Promise<Cover | null> {
  const at = bytesAt(folder, `${path}/.git`);
  const found = lstatSync(at, { throwIfNoEntry: false });
  const name = Buffer.from(path, 'latin1').toString();
  if (isWanted && found !== undefined && !found.isSymbolicLink() && Buffer.from(name).toString('latin1') === path)
    return { path: `${name}/.git`, isFolder: found.isDirectory() };
  await rm(at, { recursive: true, force: true });
  return null;
}

function parsed(printed: string): Omit<ReadTree, 'repositories' | 'complaints'> & { readonly gits: readonly TreePath[] } {
  const [tree = '', , ...rest] = printed.split('\0');
  const end = rest.indexOf('');
  const last = rest.indexOf('', end + 1);
  const gits = rest.slice(last + 1).filter((path) => path !== '');
  return {
    tree,
    changes: changesIn(rest.slice(0, end)),
    ignored: rest.slice(end + 1, last),
    gits: gits.map((path) => path.slice('./'.length, -'/.git'.length)),
  };
}

const NO_COMMIT = /^error: '(.+)\/' does not have a commit checked out$/;

/** Git tells of one without a commit only by complaining. */
function* repositoriesIn(changes: readonly Change[], said: string): Generator<TreePath> {
  for (const change of changes) if (isNewRepository(change)) yield change.path;
  for (const line of said.split('\n')) {
    const path = NO_COMMIT.exec(line)?.[1];
    if (path !== undefined) yield Buffer.from(path).toString('latin1');
  }
}
