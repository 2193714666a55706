import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { gitVariables } from '../../kit/pure/git-variables.ts';
import type { Captured } from '../../process/capture.ts';

type Variables = Readonly<Record<string, string>>;
type Run = (args: readonly string[], variables: Variables) => Promise<Captured>;

/** A git for questions, and the environment of the git that is about to run. */
interface Asked {
  readonly run: Run;
  readonly env: Variables;
}

/** Commands that check a nested repository for changes, or may run another git there. */
const LOOKING_INSIDE = new Set(['add', 'checkout', 'commit', 'diff', 'diff-files', 'merge', 'read-tree', 'reset', 'restore', 'rm', 'status', 'submodule']);
/** Bytes in an index that mark a nested repository, or entries in another file. A false match costs only one more git command. */
const SIGNS = [Buffer.from([0, 0, 0xe0, 0]), Buffer.from('link'), Buffer.from('sdir')];
const MOST_REPOSITORIES = 200;

/**
 * To check a nested repository for changes, git runs another git there, which obeys the settings it finds. Anybody who can write files can make such a
 * repository, with filters that run commands. So the variables that git hands on name the filters of the outer settings, or none, and forbid fetching.
 * Without such a repository, as nearly always, there are no variables.
 */
export async function withoutFiltersInside(asked: Asked, args: readonly string[], own: Variables = {}): Promise<Variables> {
  const { run } = asked;
  const { globals, command } = wordsOf(args);
  if (!LOOKING_INSIDE.has(command) || !(await mayHaveRepositories(run, globals, own))) return {};
  const top = (await run([...globals, 'rev-parse', '--show-toplevel'], own)).stdout.trim();
  if (top === '') return {};
  const folders = await repositoriesIn(run, [...globals, '-C', top], { top, variables: own });
  return folders.length === 0 ? {} : await withoutFiltersOf(asked, folders, globals);
}

/** The same for a git that works in these repositories itself. `globals` select the repository whose settings apply. */
export async function withoutFiltersOf({ run, env }: Asked, folders: readonly string[], globals: readonly string[] = []): Promise<Variables> {
  const keys = new Set<string>();
  for (const folder of folders) for (const key of await filtersSetIn(run, folder)) keys.add(key);
  const outside = new Map(settingsOf((await run([...globals, 'config', '--list', '-z'], {})).stdout));
  const settings = [...keys].map((key) => [key, outside.get(key) ?? (key.endsWith('.required') ? 'false' : '')] as const);
  return { ...gitVariables(settings, env), GIT_ALLOW_PROTOCOL: 'none' };
}

/** The options before the command, and the command itself. */
export function wordsOf(args: readonly string[]): { readonly globals: readonly string[]; readonly command: string } {
  let at = 0;
  while (args[at]?.startsWith('-')) at += args[at] === '-C' || args[at] === '-c' ? 2 : 1;
  return { globals: args.slice(0, at), command: args[at] ?? '' };
}

async function mayHaveRepositories(run: Run, globals: readonly string[], own: Variables): Promise<boolean> {
  const gitDir = globals.find((word) => word.startsWith('--git-dir='))?.slice('--git-dir='.length);
  const path =
    own['GIT_INDEX_FILE'] ??
    (gitDir === undefined ? (await run([...globals, 'rev-parse', '--path-format=absolute', '--git-path', 'index'], {})).stdout.trim() : join(gitDir, 'index'));
  return await mayHoldRepositories(path);
}

export async function mayHoldRepositories(indexPath: string): Promise<boolean> {
  const index = indexPath === '' ? null : await readFile(indexPath).catch(() => null);
  return index !== null && SIGNS.some((sign) => index.includes(sign));
}

interface Inside {
  readonly top: string;
  readonly variables: Variables;
}

async function repositoriesIn(run: Run, globals: readonly string[], { top, variables }: Inside, found: string[] = []): Promise<readonly string[]> {
  const { stdout } = await run([...globals, 'ls-files', '--stage', '-z'], variables);
  for (const [, path = ''] of stdout.matchAll(/160000 \w+ \d\t([^\0]+)\0/g)) {
    const folder = join(top, path);
    if (found.length >= MOST_REPOSITORIES || found.includes(folder) || !(await pathExists(join(folder, '.git')))) continue;
    found.push(folder);
    await repositoriesIn(run, ['-C', folder], { top: folder, variables: {} }, found);
  }
  return found;
}

async function filtersSetIn(run: Run, folder: string): Promise<readonly string[]> {
  const { stdout } = await run(['-C', folder, 'config', '--list', '--show-scope', '-z'], {});
  const fields = stdout.split('\0');
  const local = fields.filter((_, index) => index % 2 === 1 && /^(local|worktree)$/.test(fields[index - 1] ?? ''));
  return local.map((field) => field.split('\n', 1)[0] ?? '').filter((key) => key.startsWith('filter.'));
}

function settingsOf(listed: string): readonly (readonly [string, string])[] {
  return listed
    .split('\0')
    .filter((field) => field.includes('\n'))
    .map((field) => [field.slice(0, field.indexOf('\n')), field.slice(field.indexOf('\n') + 1)]);
}
