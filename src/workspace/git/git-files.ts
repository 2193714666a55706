import type { TreeFile } from '../../engine/ports/git.ts';
import { firstComplaint, type Git } from './git-command.ts';
import { feedGit } from './git-feed.ts';
import type { GitPlace, ListedTree } from './git-place.ts';

const MOST_FILE_BYTES = 64 * 1024 * 1024;

/** The base of a run and the claimed tree. A large tree takes much memory. */
const MOST_TREES = 2;

/** A tree never changes, so it is listed only once. */
export async function listTree({ git, known }: Pick<GitPlace, 'git' | 'known'>, tree: string): Promise<ListedTree> {
  const listed = known.files.get(tree) ?? (await list(git, tree));
  known.files.delete(tree);
  known.files.set(tree, listed);
  for (const old of [...known.files.keys()].slice(0, -MOST_TREES)) known.files.delete(old);
  return listed;
}

async function list(git: Git, tree: string): Promise<ListedTree> {
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', tree]);
  if (listed.code !== 0) throw new Error(firstComplaint(listed));
  const files = new Map<string, TreeFile>();
  const submodules: string[] = [];
  for (const line of listed.stdout.split('\0').filter(Boolean)) {
    // `100644 blob <id>\t<path>`
    const tab = line.indexOf('\t');
    const [mode = '', kind, id = ''] = line.slice(0, tab).split(' ');
    if (kind === 'blob') files.set(line.slice(tab + 1), { mode, id });
    else if (kind === 'commit') submodules.push(line.slice(tab + 1));
  }
  return { files, submodules };
}

export async function bytesOf(place: Pick<GitPlace, 'cwd' | 'env'>, id: string): Promise<Uint8Array> {
  const fed = await feedGit(place, { args: ['cat-file', 'blob', id], mostBytes: MOST_FILE_BYTES });
  if (!fed.isWhole) throw new Error(fed.stderr.trim().split('\n')[0] || `git cannot read ${id}`);
  return fed.stdout;
}
