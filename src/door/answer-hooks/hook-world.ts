import type { GuardPlace } from '../../sandbox/guard/verdict.ts';
import type { GuardedPlace } from '../hooks/guard-decision.ts';
import type { HookInput } from '../hooks/hook-input.ts';
import type { StopRefused } from '../../journal/events/stories.ts';
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
