import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { capture } from '../../process/capture.ts';
import { withoutGitVariables } from '../environment/environment.ts';
import type { Variables } from './docker-grammar.ts';

/** A snapshot of a work tree's files on the host. */
export interface HostFiles {
  /** A mark per path below the top, which changes whenever the file does. Files that git ignores are left out, except Ralph's own. */
  readonly files: ReadonlyMap<string, string>;
  /** A mark for the commit, the branches and the index; null without git. Ralph's own refs do not count. */
  readonly git: string | null;
  readonly isCopy: boolean;
}

/** Folders whose changes a sandbox need not see: the output of runs, and installed packages. */
const NOT_WALKED = new Set(['.git', 'runs', 'node_modules']);
const NOT_WALKED_IN_COPY = new Set(['.git', 'node_modules']);
const MAX_WALKED = 20_000;
const AT_ONCE = 64;
const GIT_TIMEOUT_MS = 120_000;

/** An agent may have written the repository's configuration, so git runs nothing that it names. */
const OUR_WAYS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.quotePath=false'];

/** isCopy: an agent may have written its repository, so no git of the host opens it. */
export async function lookAtHost(top: string, env: Variables, isCopy = false): Promise<HostFiles> {
  if (isCopy) return { files: await marksOf(top, await walk(top, '', isCopy)), git: null, isCopy };
  const git = async (...args: readonly string[]) => {
    const cleared = { ...withoutGitVariables(env), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
    const { code, stdout } = await capture({ file: 'git', args: [...OUR_WAYS, ...args], cwd: top, env: cleared, timeoutMs: GIT_TIMEOUT_MS });
    return code === 0 ? stdout : null;
  };
  const listed = await git('ls-files', '-co', '--exclude-standard', '-z');
  if (listed === null) return { files: await marksOf(top, await walk(top, '')), git: null, isCopy };
  // The `.git` of a linked worktree is an ordinary file.
  const ours = ['.git', ...(await walk(top, '.ralph'))];
  return { files: await marksOf(top, new Set([...listed.split('\0').filter(Boolean), ...ours])), git: await markOfGit(git), isCopy };
}

/** Asks git for the content of the index: the file itself may change when somebody only looks at the work tree. */
async function markOfGit(git: (...args: readonly string[]) => Promise<string | null>): Promise<string> {
  const said = [
    await git('symbolic-ref', '-q', 'HEAD'),
    await git('rev-parse', '-q', '--verify', 'HEAD'),
    await git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags', 'refs/remotes'),
    await git('ls-files', '-s', '-z'),
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

async function marksOf(top: string, paths: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const marks = new Map<string, string>();
  const waiting = [...paths];
  const take = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const found = await lstat(join(top, path)).catch(() => null);
      if (found?.isFile() || found?.isSymbolicLink()) marks.set(path, `${found.mtimeMs}:${found.size}:${found.mode}:${found.ino}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return marks;
}

/** All files below a folder; in a copy without a limit. Skips folders with their own `.git`, which are other work trees. */
async function walk(top: string, from: string, isCopy = false): Promise<readonly string[]> {
  const [most, passedOver] = isCopy ? [Number.POSITIVE_INFINITY, NOT_WALKED_IN_COPY] : [MAX_WALKED, NOT_WALKED];
  const found: string[] = [];
  const folders = [from];
  for (let folder = folders.pop(); folder !== undefined && found.length < most; folder = folders.pop()) {
    const entries = await readdir(join(top, folder), { withFileTypes: true }).catch(() => []);
    if (!isCopy && folder !== '' && entries.some(({ name }) => name === '.git')) continue;
    const pathOf = (name: string) => (folder === '' ? name : `${folder}/${name}`);
    found.push(...entries.filter((entry) => !entry.isDirectory()).map(({ name }) => pathOf(name)));
    folders.push(...entries.filter((entry) => entry.isDirectory() && !passedOver.has(entry.name)).map(({ name }) => pathOf(name)));
  }
  return found;
}

/** The paths whose mark has changed, and those that are gone. */
export function changedSince(before: HostFiles | null, now: HostFiles): { readonly written: readonly string[]; readonly removed: readonly string[] } {
  return {
    written: [...now.files].filter(([path, mark]) => before?.files.get(path) !== mark).map(([path]) => path),
    removed: before === null ? [] : [...before.files.keys()].filter((path) => !now.files.has(path)),
  };
}
