import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import type { Captured } from '../../process/capture.ts';

type Variables = Readonly<Record<string, string>>;
type Run = (args: readonly string[], variables: Variables) => Promise<Captured>;

/** A git that is asked only, and the environment of the one that is about to run. */
interface Asked {
  readonly run: Run;
  readonly env: Variables;
}

/** Those that look into a repository inside ours whether anything in it was changed, or may do so with another git than this one. */
const LOOKING_INSIDE = new Set(['add', 'checkout', 'commit', 'diff', 'diff-files', 'merge', 'read-tree', 'reset', 'restore', 'rm', 'status', 'submodule']);
/** In an index: an entry that is a repository, or a part that leaves entries to other files. What only looks like one costs a question. */
const SIGNS = [Buffer.from([0, 0, 0xe0, 0]), Buffer.from('link'), Buffer.from('sdir')];
const MOST_REPOSITORIES = 200;

/**
 * Git asks a repository inside ours whether it was changed by running another git there, which obeys the settings it finds: anybody who may
 * write files can make one, with filters that are commands. So that git is given the filters which hold outside, or none, by variables it
 * hands on; and it fetches nothing. Answers with no variables where there is no such repository, as nearly always.
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

/** The same for a git that works in these repositories itself. `globals` lead to the one whose settings hold. */
export async function withoutFiltersOf({ run, env }: Asked, folders: readonly string[], globals: readonly string[] = []): Promise<Variables> {
  const keys = new Set<string>();
  for (const folder of folders) for (const key of await filtersSetIn(run, folder)) keys.add(key);
  const outside = new Map(settingsOf((await run([...globals, 'config', '--list', '-z'], {})).stdout));
  const settings = [...keys].map((key) => [key, outside.get(key) ?? (key.endsWith('.required') ? 'false' : '')] as const);
  return { ...asVariables(settings, Number(env['GIT_CONFIG_COUNT'] ?? 0)), GIT_ALLOW_PROTOCOL: 'none' };
}

/** What stands before the command, and the command itself. */
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

/** Behind those that are there already. */
function asVariables(settings: readonly (readonly [string, string])[], before: number): Variables {
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(before + settings.length), ...Object.fromEntries(pairs) };
}
