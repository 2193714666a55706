import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { StopRefused } from '../../journal/events/stories.ts';
import { hasCode } from '../../kit/files/read.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import type { GuardPlace } from '../../sandbox/guard/rule.ts';
import { projectLists } from '../../sandbox/guard-lists.ts';
import type { GuardLists, SandboxMode } from '../../settings/schema/sandbox-spec.ts';
import type { GuardedPlace } from '../hooks/guard-decision.ts';
import type { HookInput } from '../hooks/hook-input.ts';
import type { SessionMemory } from './session-memory.ts';

/** What a hook needs to know. A loop provides it, or the files that are left when no loop runs. */
export interface HookSources {
  /** The stories being worked on where the agent is; null: there are none, and nothing is blocked. */
  readonly stories: (input: HookInput) => Promise<StoriesAtWork | null>;
  /** The guard's configuration where the agent is. */
  readonly guard: (input: HookInput) => GuardSetup;
  readonly sessions: SessionMemory;
  readonly env: Readonly<Record<string, string>>;
  /** The model the agent was asked to use; null: unknown. */
  readonly model: () => string | null;
  readonly warn: (text: string) => void;
}

interface GuardSetup {
  readonly place: GuardPlace;
  /** In a sandbox the guard only gives advice, because everything it protects is out of reach. */
  readonly isSandboxed: boolean;
}

export interface StoriesAtWork {
  readonly place: GuardedPlace;
  /** How often in a row an agent is kept from stopping. */
  readonly stopBlocks: number;
  /** The problems of the list of stories, one line each. */
  readonly problems: () => Promise<readonly string[]>;
  /** Uncommitted paths; empty where git cannot tell. */
  readonly dirtyPaths: () => Promise<readonly string[]>;
  /** Records that an agent was kept from stopping, or was let go despite problems. */
  readonly refused: (refusal: Omit<StopRefused, 'type'>) => Promise<void>;
}

/** The real locations of a path: its name in a folder without links, and the target of that name. The path need not exist. */
export function spellingsOf(path: string, cwd: string): readonly string[] {
  const absolute = resolve(cwd, path);
  const named = join(realOf(dirname(absolute)), basename(absolute));
  return [...new Set([named, realOf(absolute)])];
}

/** Resolves links as far as the path exists. Throws for an invalid path. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error;
    const above = dirname(path);
    return above === path ? path : join(realOf(above), basename(path));
  }
}

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
