import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { StopRefused } from '../../journal/events/stories.ts';
import { hasCode } from '../../kit/files/read.ts';
import type { GuardPlace } from '../../sandbox/guard/rule.ts';
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

export interface GuardSetup {
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
