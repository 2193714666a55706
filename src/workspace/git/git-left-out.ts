import { oneLine } from '../../kit/pure/text.ts';
import type { Git, Variables } from './git-command.ts';
import { mayHoldRepositories } from './git-nested.ts';

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
