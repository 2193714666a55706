import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { StopRefused } from '../../journal/events/stories.ts';
import { hasCode } from '../../kit/files/read.ts';
import type { GuardPlace } from '../../sandbox/guard/rule.ts';
import type { GuardedPlace } from '../hooks/guard-decision.ts';
import type { HookInput } from '../hooks/hook-input.ts';
import type { SessionMemory } from './session-memory.ts';

/** What a hook needs to know, whoever is asked: a loop, or the files that are left where none lives. */
export interface HookWorld {
  /** The stories that are worked on where the agent is; null: none are, and nobody is kept from anything. */
  readonly stories: (input: HookInput) => Promise<StoriesAtWork | null>;
  /** What the guard goes by where the agent is. */
  readonly guard: (input: HookInput) => GuardSetup;
  readonly sessions: SessionMemory;
  readonly env: Readonly<Record<string, string>>;
  /** The model the agent was asked to use; null: nobody here knows. */
  readonly model: () => string | null;
  readonly warn: (text: string) => void;
}

export interface GuardSetup {
  readonly place: GuardPlace;
  /** Behind a wall the guard only gives advice: what it has to be kept from is out of reach. */
  readonly isWalled: boolean;
}

export interface StoriesAtWork {
  readonly place: GuardedPlace;
  /** How often in a row an agent is kept from stopping. */
  readonly stopBlocks: number;
  /** What is wrong with the list of stories, each a line. */
  readonly problems: () => Promise<readonly string[]>;
  /** What is not committed; nothing where git cannot say. */
  readonly dirtyPaths: () => Promise<readonly string[]>;
  /** An agent was kept from stopping, or let go all the same. */
  readonly refused: (refusal: Omit<StopRefused, 'type'>) => Promise<void>;
}

/** Where a path leads: its own name in a folder without links, and what that name links to. It need not be there. */
export function spellingsOf(path: string, cwd: string): readonly string[] {
  const absolute = resolve(cwd, path);
  const named = join(realOf(dirname(absolute)), basename(absolute));
  return [...new Set([named, realOf(absolute)])];
}

/** Without links, as far as it is there. Throws for what is no path at all. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error;
    const above = dirname(path);
    return above === path ? path : join(realOf(above), basename(path));
  }
}
