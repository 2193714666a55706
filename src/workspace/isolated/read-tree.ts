import { randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnGit, SandboxCall, SandboxPort } from '../../engine/ports/sandbox.ts';
import { ownOutputBelow } from '../../process/own-output.ts';
import { firstComplaint, GIT_TIMEOUT_MS, NOTHING_REPLACED, NOTHING_RUN, type Variables } from '../git/git-command.ts';
import { runBehind } from '../own-git/run-behind.ts';
import { GitTrouble, orTrouble } from '../tasks/locks.ts';
import { bytesAt } from './carry.ts';
import { makeReadable } from './room-files.ts';
import { type Change, changesIn, isAtOrBelow, isNewRepository, type TreePath } from './tree-changes.ts';

/** What a reader of a work tree needs. */
export interface ReaderPlace {
  /** The top of the work tree, and what is mounted there inside: the operator's own files, or those of a folder. */
  readonly root: string;
  readonly ownFolder: SandboxCall['ownFolder'];
  readonly commonDir: string;
  readonly env: Variables;
  /** A repository of Ralph's, mounted over the operator's: the only thing in it that an agent wrote is objects. */
  readonly reader: OwnGit;
  /** Which index it uses for these files: each stays up to date from look to look. */
  readonly index: 'here' | 'there';
  /** For its output. */
  readonly folder: string;
  /** Ignored folders, by their names below the root: nothing in them lands, so they are not searched for changes. */
  readonly ignoredFolders: readonly string[];
  /** The operator's nested repositories. The processes have copies, which are not read: nothing in them lands. */
  readonly repositories: readonly string[];
  /** Skips the list of ignored files. */
  readonly isBrief?: boolean;
  /** Without a sandbox nothing protects from an agent that sets file times to deceive git, and finding such files needs a `find` that not every system has. */
  readonly isTrusted?: boolean;
}

export interface ReadTree {
  readonly tree: string;
  /** Changes since the tree that was asked about. */
  readonly changes: readonly Change[];
  /** Ignored files, and whole folders with a slash at the end. */
  readonly ignored: readonly TreePath[];
  /** Nested repositories. */
  readonly repositories: readonly TreePath[];
  /** Git's complaints about files that it does not add. */
  readonly complaints: readonly string[];
}

const WAYS = [
  ...NOTHING_RUN,
  ...['core.looseCompression=0', 'core.safecrlf=false', 'core.splitIndex=false', 'advice.addEmbeddedRepo=false'].flatMap((way) => ['-c', way]),
].join(' ');

/** Git would need minutes to read a larger file. */
const LARGEST_GIB = 32;

/**
 * Git takes a file as unchanged if its size and its times, to the second, are the same, and an agent can set most of these. So all files whose change time is
 * newer than the last look are read again: nobody can set that time. The index has all files that were brought, so a file that is newly ignored does not
 * count as deleted.
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

/** The same for agents that only make mistakes. */
const trust = (passedOver: readonly string[]) => `
find . -path ./.git -prune ${pruned(passedOver)} -o -name .git -prune -print0 > "$GIT_INDEX_FILE.gits" || exit
`;

const RESET = `
was=; [ ! -e "$GIT_INDEX_FILE.tree" ] || read -r was < "$GIT_INDEX_FILE.tree"
[ "$since" = "$was" ] || git ${WAYS} read-tree --reset "$since" || exit
rm -f "$GIT_INDEX_FILE.tree"
`;

const pruned = (folders: readonly string[]) => folders.map((name) => `-o -path ${quoted(`./${name.replaceAll(/[*?[\]\\]/g, '\\$&')}`)} -prune`).join(' ');

/** Shared files are the operator's, and what Ralph prints into is nobody's work: the tree keeps its old entries for them. */
const notThese = (apart: readonly string[]) => apart.map((name) => quoted(`:(top,exclude,literal)${name}`)).join(' ');

/**
 * Prints the tree, an empty field, the changes, an empty field and the ignored files; in the folder of an agent also an empty field and each `.git`. `$1` is
 * the tree before; the other arguments are covered repositories.
 */
const scriptFor = (apart: readonly string[] | undefined, { root, ignoredFolders, isBrief = false, isTrusted = false }: ReaderPlace) => `
since=$1; shift
rm -f "$GIT_INDEX_FILE.lock"
${apart === undefined ? '' : `${RESET}${(isTrusted ? trust : distrust)([...apart, ...ignoredFolders])}`}
for covered; do git ${WAYS} update-index --force-remove -- "$covered" || exit; done
git ${WAYS} add --all --sparse --ignore-errors -- :/ ${notThese([...(apart ?? []), ...ownOutputBelow(root)])} || [ $? = 1 ] || exit
tree=$(git ${WAYS} write-tree) || exit
printf '%s\\0\\0' "$tree"
if [ "$tree" != "$since" ]; then
  git ${WAYS} diff-tree -r -z --raw --no-renames --no-abbrev "\${since:-$(git hash-object -t tree /dev/null)}" "$tree" || exit
fi
printf '\\0'
${isBrief ? '' : `git ${WAYS} ls-files -z --others --ignored --exclude-standard --directory --no-empty-directory || exit`}
${apart === undefined ? '' : `echo "$tree" > "$GIT_INDEX_FILE.tree"; printf '\\0'; cat "$GIT_INDEX_FILE.gits"`}
`;

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The second look sees all files. The third is the last, because no process makes repositories any more. */
const LOOKS = 3;

/**
 * Names the files of a work tree by their tree. It runs inside the sandbox, without a network, and cannot write the files, so whatever filters and attributes
 * make git run also runs there. A repository in the folder of an agent is covered, so that its files are read as files.
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

/** Makes what an agent hid from its owner readable again: git stops at a folder without permissions, and skips such a file. */
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
    // If many folders are shared, the script is too long for one argument.
    ...{ file: '/bin/sh', args: ['-c', 'eval "$(cat)"', 'sh', since, ...names], cwd: root },
    env: {
      ...{ PATH: env['PATH'] ?? '', HOME: env['HOME'] ?? '/', LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', ...NOTHING_REPLACED },
      ...(env['XDG_CONFIG_HOME'] !== undefined && { XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'] }),
      ...{ GIT_DIR: commonDir, GIT_WORK_TREE: root, GIT_INDEX_FILE: join(commonDir, index) },
    },
  };
  const file = join(folder, randomUUID());
  const { isGood, said } = await runBehind(wall, call, {
    stdin: scriptFor(ownFolder && [...ownFolder.shared, ...place.repositories], place),
    file,
    timeoutMs: 10 * GIT_TIMEOUT_MS,
  });
  const printed = await readFile(file, 'latin1').catch(() => '');
  await rm(file, { force: true });
  if (!isGood) throw new GitTrouble(`the files of ${root} cannot be read: ${firstComplaint({ stderr: said })}`);
  const { gits, ...read } = parsed(printed);
  const complaints = said.split('\n').filter((line) => /^error: |: Permission denied$|: File name too long$/.test(line) && !NO_COMMIT.test(line));
  return { ...read, complaints, repositories: ownFolder ? gits : [...repositoriesIn(read.changes, said)] };
}

type Cover = NonNullable<NonNullable<SandboxCall['ownFolder']>['covered']>[number];

/** More of them would make every start slow. */
const MOST_COVERED = 100;

/**
 * What must be hidden of a repository, so that git sees files there. If nothing can be mounted over it, because it is a link or its name is not text, it is
 * removed: null.
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

/** Git reports a repository without a commit only by complaining. */
function* repositoriesIn(changes: readonly Change[], said: string): Generator<TreePath> {
  for (const change of changes) if (isNewRepository(change)) yield change.path;
  for (const line of said.split('\n')) {
    const path = NO_COMMIT.exec(line)?.[1];
    if (path !== undefined) yield Buffer.from(path).toString('latin1');
  }
}
