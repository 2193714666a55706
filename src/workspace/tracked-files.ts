import { openGitCommand, type Variables } from './git/git-command.ts';

/**
 * For a repository in somebody's home: the dot files that belong to the project only. A folder counts if nothing in it is untracked: else an agent could
 * commit a file beside a key and see the whole folder in a later run. Elsewhere only the tracked files count. Paths are relative to its root.
 */
export async function trackedDots(topLevel: string, env: Variables): Promise<readonly string[]> {
  const git = openGitCommand(topLevel, env);
  const list = async (...words: readonly string[]) => (await git(['ls-files', '-z', ...words])).stdout.split('\0').filter(Boolean);
  const files = await list('--', ':(top,glob).*', ':(top,glob).*/**');
  const folders = [...new Set(files.map((file) => folderOf(file)).filter((folder) => folder !== null))];
  if (folders.length === 0) return files;
  const others = await list('--others', '--', ...folders.map((folder) => `:(top,literal)${folder}`));
  const isShared = (folder: string) => others.some((path) => path.startsWith(`${folder}/`));
  return [...new Set(files.map((file) => folderOf(file, isShared) ?? file))];
}

/** `.config/nvim` for `.config/nvim/init.lua`; null for a file directly in a folder such as `.config`, which other programs share. */
function folderOf(file: string, isShared: (folder: string) => boolean = () => false): string | null {
  const [first, second, ...rest] = file.split('/');
  const folder = `${first}/${second}`;
  return rest.length === 0 || isShared(folder) ? null : folder;
}
