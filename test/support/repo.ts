import { execFileSync } from 'node:child_process';
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

/** A throw-away git repository with one commit that holds the given files. */
export async function openRepo(files: Readonly<Record<string, string>> = { 'readme.txt': 'hello\n' }): Promise<Repo> {
  const folder = await openThrowAwayFolder();
  const path = join(folder.path, 'repo');
  const beside = join(folder.path, 'beside');
  await mkdir(path);
  await mkdir(beside);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: path, env, encoding: 'utf8' }).trim();
  const write = async (name: string, content: string, mode = 0o644) => {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { mode });
    return file;
  };
  git('init', '-q', '-b', 'main');
  for (const [name, content] of Object.entries(files)) await write(name, content);
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  return { path, beside, git, write, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
