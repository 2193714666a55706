import type { StoryCheck, StoryMode, StoryMove, StoryPlan, StoryQuestion, StoryRange, Verdict } from '../words/story.ts';

/** What a run knows of its stories. The plan here is the truth; the file is a form that agents fill in. */
export interface StoriesState {
  /** Null before anybody has looked. */
  readonly plan: StoryPlan | null;
  /** The last look at rest; null when something has happened since. */
  readonly look: StoriesLook | null;
  /** Since when the file cannot be read while no agent is at work; null: it can. */
  readonly trouble: { readonly why: string; readonly sinceMs: number; readonly atMs: number } | null;
  readonly looks: number;
  /** The run was stopped in between, and nobody was at work then: what a person has made of the list counts as it does at a start. */
  readonly isByHand: boolean;
  /** The commits that belong to each story, by its id. */
  readonly ranges: Readonly<Record<string, readonly StoryRange[]>>;
  /** The story that was worked on last: its commits lie side by side. */
  readonly lastWorkedOn: string | null;
  /** What the next turn of a story is told of the last one. */
  readonly feedback: Readonly<Record<string, string>>;
  readonly questions: readonly AskedQuestion[];
  /** Stories that were approved at the cap, by this run. */
  readonly atCap: readonly string[];
  /** Stories that a reviewer approved that could have run code of the tree. */
  readonly weak?: readonly string[];
  /** The tree in which a person has allowed the changes of a held story, by its id: its base from then on. */
  readonly allowed?: Readonly<Record<string, string>>;
  /** What the verify commands said last, by the id of the story that was worked on. */
  readonly checks?: Readonly<Record<string, readonly StoryCheck[]>>;
}

export interface StoriesLook {
  readonly head: string;
  readonly branch: string | null;
  readonly tree: string;
  readonly dirty: readonly string[];
}

export interface AskedQuestion extends StoryQuestion {
  readonly story: string;
  readonly iteration: number;
  readonly answer: string | null;
}

/** What an open iteration is about, and how far it is. */
export interface StoryTurn {
  readonly mode: StoryMode;
  readonly story: string;
  readonly head: string;
  readonly tree: string;
  /** What was settled after the last attempt; null while an attempt is not settled. */
  readonly settled: SettledTurn | null;
  /** What the last reviewer has said; null: nothing, or it is no review. */
  readonly said: Verdict | null;
  /** One for each reviewer that has spoken; a turn of another mode has one at most. */
  readonly moves: readonly StoryMove[];
  /** All that was refused in this turn, for the next prompt. */
  readonly refused: readonly string[];
  readonly undone: readonly string[];
  /** How many attempts of it ended well: each reviewer is one. */
  readonly spoken: number;
  /** What became of it, once the file says what the loop knows. */
  readonly recorded: { readonly moved: boolean } | null;
  readonly isAsked: boolean;
  readonly problem: string | null;
}

export interface SettledTurn {
  readonly attempt: number;
  readonly plan: StoryPlan;
  readonly head: string;
  readonly tree: string;
}

export const noStories: StoriesState = {
  plan: null,
  look: null,
  trouble: null,
  looks: 0,
  isByHand: false,
  ranges: {},
  lastWorkedOn: null,
  feedback: {},
  questions: [],
  atCap: [],
};
