import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { environment } from '../../sandbox/environment/environment.ts';
import type { GuardPlace } from '../../sandbox/guard/rule.ts';
import { projectLists } from '../../sandbox/guard-lists.ts';
import type { GuardLists, SandboxMode } from '../../settings/schema/sandbox-spec.ts';
import { type GuardSetup, realOf } from '../answer-hooks/hook-sources.ts';

interface GuardContext {
  readonly lists: GuardLists;
  readonly mode: SandboxMode;
  /** The project. */
  readonly root: string;
  /** The agent's folder; null: unknown. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** The guard's configuration for a project. */
export function guardSetup({ lists, mode, root, cwd, env }: GuardContext): GuardSetup {
  const project = realOf(root);
  const place: GuardPlace = {
    lists,
    root: project,
    cwd: cwd !== null && isAbsolute(cwd) ? realOf(cwd) : project,
    home: env['HOME'] || homedir() || null,
    scripts: readScript,
  };
  return { place, isSandboxed: mode !== 'guard' };
}

/** Longer scripts are programs of the project, not a way around the guard. */
const LONGEST_SCRIPT = 64 * 1024;

/** The text of a script; null if it does not exist, is not a regular file, is not text, or is too long. */
function readScript(path: string): string | null {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > LONGEST_SCRIPT) return null;
    const text = readFileSync(path, 'utf8');
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** The guard's configuration for this folder when no loop is asked. */
export function hereSetup(cwd: string): GuardSetup {
  const root = projectRoot(cwd);
  return guardSetup({ lists: projectLists(root), mode: 'guard', root, cwd, env: environment() });
}

/** The top of the folder's work tree; the folder itself without git. */
export function projectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}
