import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openThrowAwayFolder } from './throw-away-folder.ts';

export interface Repo extends AsyncDisposable {
  readonly path: string;
  /** A folder beside the repository, for agents and homes. */
  readonly beside: string;
  git(...args: readonly string[]): string;
  write(name: string, content: string, mode?: number): Promise<string>;
}

type GitWords = readonly string[];
type Files = Readonly<Record<string, string>>;

/** What lies in a folder: of a file its content, null for a folder. */
type Kept = ReadonlyMap<string, { readonly content: Buffer | null; readonly mode: number }>;

/** A cache of repositories by their files: git creates each once, then it is copied. */
const made = new Map<string, Promise<Kept>>();

const FILES: Files = { 'readme.txt': 'hello\n' };

/** What a repository says of its operator. */
export const OPERATOR: readonly GitWords[] = [
  ['config', 'user.name', 'Operator'],
  ['config', 'user.email', 'operator@example.com'],
];

/** A temporary git repository with one commit of the given files, and then the given git commands. */
export async function openRepo(files: Files = FILES, told: readonly GitWords[] = []): Promise<Repo> {
  const folder = await openThrowAwayFolder();
  const path = join(folder.path, 'repo');
  const beside = join(folder.path, 'beside');
  await mkdir(beside);
  await putRepo(path, files, told);
  const git = gitIn(path);
  return { path, beside, git, write: (name, text, mode) => writeIn(path, name, text, mode), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Writes such a repository into a folder. */
export async function putRepo(path: string, files: Files = FILES, told: readonly GitWords[] = []): Promise<void> {
  const key = JSON.stringify([files, told]);
  const kept = made.get(key) ?? make(files, told);
  made.set(key, kept);
  putDown(path, await kept);
  // The index knows files by their inodes.
  gitIn(path)('update-index', '-q', '--refresh');
}

function gitIn(cwd: string): Repo['git'] {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, env, encoding: 'utf8' }).trim();
}

async function writeIn(path: string, name: string, content: string, mode = 0o644): Promise<string> {
  const file = join(path, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content, { mode });
  return file;
}

async function make(files: Files, told: readonly GitWords[]): Promise<Kept> {
  await using folder = await openThrowAwayFolder();
  const git = gitIn(folder.path);
  git('init', '-q', '-b', 'main');
  for (const [name, content] of Object.entries(files)) await writeIn(folder.path, name, content);
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  for (const words of told) git(...words);
  const names = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('.sample'));
  return new Map(
    names.sort().map((name) => {
      const stat = statSync(join(folder.path, name));
      return [name, { content: stat.isDirectory() ? null : readFileSync(join(folder.path, name)), mode: stat.mode & 0o777 }];
    }),
  );
}

function putDown(path: string, kept: Kept): void {
  mkdirSync(path, { recursive: true });
  for (const [name, { content, mode }] of kept) {
    const target = join(path, name);
    if (content === null) mkdirSync(target);
    else writeFileSync(target, content, { mode });
    if (mode & 0o022) chmodSync(target, mode);
  }
}
