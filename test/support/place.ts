import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ralph } from './ralph.ts';
import { putRepo } from './repo.ts';
import { type EndedRun, withResult } from './stage.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';

/** A folder in which the built CLI is started, and one beside it for files that are not part of the work. */
export interface Place extends AsyncDisposable {
  readonly path: string;
  readonly beside: string;
  /** Saves every prompt and claims completion: `beside/prompt.1`, `beside/prompt.2`, … */
  readonly agent: string;
  ralph(args: readonly string[], how?: How): Promise<EndedRun>;
  git(...args: readonly string[]): string;
  write(name: string, content: string | Uint8Array, mode?: number): Promise<string>;
  /** Every file and folder there is, the home of the user and the repository's own folder included. */
  everything(): readonly string[];
}

interface How {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

const AGENT = `
n=1
while ! ( set -C; : >"$0.$n" ) 2>/dev/null; do n=$((n + 1)); done
cat >"$(dirname "$0")/prompt.$n"
echo DONE
`;

/** Not a git repository. Its path may be told to be an unusual one. */
export async function openPlace(name = 'place'): Promise<Place> {
  const folder = await openThrowAwayFolder();
  const [path, beside] = [join(folder.path, name), join(folder.path, 'beside')];
  await mkdir(path);
  await mkdir(beside);
  await writeFile(join(beside, 'agent.sh'), AGENT);
  const userEnv = { HOME: beside, XDG_RUNTIME_DIR: beside };
  return {
    path,
    beside,
    agent: `sh '${join(beside, 'agent.sh')}'`,
    ralph: async (args, { cwd = path, env = {}, stdin = '' } = {}) => withResult(await ralph(args, { cwd, stdin, env: { ...userEnv, ...env } })),
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...args], {
        cwd: path,
        encoding: 'utf8',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      }).trim(),
    async write(file, content, mode = 0o644) {
      const full = join(path, file);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content, { mode });
      return full;
    },
    everything: () => (readdirSync(folder.path, { recursive: true }) as string[]).sort(),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The same as a repository with one commit. */
export async function openGitPlace(name?: string): Promise<Place> {
  const place = await openPlace(name);
  await putRepo(place.path);
  return place;
}
