import { basename, dirname } from 'node:path';

/** What belongs to a lock file. */
interface Packages {
  /** What people run to have the packages of the lock file. */
  readonly command: string;
  /** The same for a clean copy: exactly what the lock file names, from a cache where possible. Absent: the same words. */
  readonly exact?: string;
  /** Where the packages are, beside the lock file. Absent: elsewhere, and those of several versions side by side. */
  readonly folder?: string;
}

const node = (command: string, exact: string): Packages => ({ command, exact, folder: 'node_modules' });

const PACKAGES: Readonly<Record<string, Packages>> = {
  'package-lock.json': node('npm ci', 'npm ci --prefer-offline'),
  'pnpm-lock.yaml': node('pnpm install', 'pnpm install --frozen-lockfile --prefer-offline'),
  'yarn.lock': node('yarn install', 'yarn install --frozen-lockfile'),
  'bun.lock': node('bun install', 'bun install --frozen-lockfile'),
  'bun.lockb': node('bun install', 'bun install --frozen-lockfile'),
  'uv.lock': { command: 'uv sync', exact: 'uv sync --frozen', folder: '.venv' },
  'poetry.lock': { command: 'poetry install', exact: 'poetry install --no-interaction', folder: '.venv' },
  'requirements.txt': {
    command: 'pip install -r requirements.txt',
    exact: 'test ! -x .venv/bin/python || .venv/bin/python -m pip install -r requirements.txt',
  },
  'Gemfile.lock': { command: 'bundle install', folder: 'vendor/bundle' },
  'composer.lock': { command: 'composer install', exact: 'composer install --no-interaction', folder: 'vendor' },
  'go.sum': { command: 'go mod download' },
  'Cargo.lock': { command: 'cargo fetch', exact: 'cargo fetch --locked' },
};

export const LOCK_FILES: readonly string[] = Object.keys(PACKAGES);

export const isLockFile = (path: string) => Object.hasOwn(PACKAGES, basename(path));

/** The command that updates packages to that lock file, and where it runs. */
export const installLine = (path: string) => `${PACKAGES[basename(path)]?.command}${dirname(path) === '.' ? '' : ` in ${dirname(path)}`}`;

/** How a clean copy gets the packages of that lock file: the command, where it runs, and the folder it fills. All paths are those of git. */
export interface Setup {
  readonly command: string;
  readonly at: string;
  readonly folder: string | null;
}

export function setupFor(path: string): Setup | null {
  const found = PACKAGES[basename(path)];
  if (found === undefined) return null;
  const at = dirname(path);
  const below = (name: string) => (at === '.' ? name : `${at}/${name}`);
  return { command: found.exact ?? found.command, at, folder: found.folder === undefined ? null : below(found.folder) };
}
