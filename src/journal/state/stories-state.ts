import type { StoryCheck, StoryMode, StoryMove, StoryPlan, StoryRange, Verdict } from '../words/story.ts';
import type { TaskReceipts, TriedTask } from './work-state.ts';

/** What a run knows about its stories. The plan here is the truth; the file is a form that agents fill in. */
export interface StoriesState {
  /** Null before the first look. */
  readonly plan: StoryPlan | null;
  /** The last look while no agent ran; null when something has happened since. */
  readonly look: StoriesLook | null;
  /** Since when the file cannot be read although no agent runs; null: it can. */
  readonly planProblem: { readonly why: string; readonly sinceMs: number; readonly atMs: number } | null;
  readonly looks: number;
  /** The run was stopped in between and no agent ran then, so a person's edits of the list count as they do at a start. */
  readonly isByHand: boolean;
  /** The commits that belong to each story, by its id. */
  readonly ranges: Readonly<Record<string, readonly StoryRange[]>>;
  /** The story that was worked on last: its commits are adjacent. */
  readonly lastWorkedOn: string | null;
  /** What the next turn of a story is told about the last one. */
  readonly feedback: Readonly<Record<string, string>>;
  /** Stories that this run approved at the review cap. */
  readonly atCap: readonly string[];
  /** Stories whose approving reviewer could have run code of the tree. */
  readonly weak?: readonly string[];
  /** The tree in which a person allowed the changes of a held story, by the story's id. It is the story's base from then on. */
  readonly allowed?: Readonly<Record<string, string>>;
  /** The iterations and costs of all turns of each story that has no receipt. */
  readonly tried?: readonly TriedTask[];
  readonly receipts?: TaskReceipts;
  /** The agent that last worked on each story; absent: the run has only one agent. */
  readonly authors?: Readonly<Record<string, string>>;
  /** The last results of the verify commands, by the id of the story that was worked on. */
  readonly checks?: Readonly<Record<string, readonly StoryCheck[]>>;
}

export interface StoriesLook {
  readonly head: string;
  readonly branch: string | null;
  readonly tree: string;
  readonly dirty: readonly string[];
}

/** The story of an open iteration, and how far it is. */
export interface StoryTurn {
  readonly mode: StoryMode;
  readonly story: string;
  readonly head: string;
  readonly tree: string;
  /** The result of settling the last attempt; null until it is settled. */
  readonly settled: SettledTurn | null;
  /** The last reviewer's verdict; null: there is none, or this is not a review. */
  readonly verdict: Verdict | null;
  /** One for each reviewer that has reported; a turn of another mode has at most one. */
  readonly moves: readonly StoryMove[];
  /** Everything that was refused in this turn, for the next prompt. */
  readonly refused: readonly string[];
  readonly reverted: readonly string[];
  /** How many of its attempts ended well: one for each reviewer. */
  readonly spoken: number;
  /** The result, once the file says what the loop knows. */
  readonly recorded: RecordedTurn | null;
  readonly hasReceipt?: true;
  readonly problem: string | null;
}

export interface RecordedTurn {
  readonly moved: boolean;
  /** The branch afterwards; absent: its tree is not known. */
  readonly at?: { readonly commit: string; readonly tree: string };
}

/** The story that the turn was about in the end: an agent may report about another one. */
export const storyOfTurn = ({ moves, story }: Pick<StoryTurn, 'moves' | 'story'>): string => moves[0]?.story ?? story;

export interface SettledTurn {
  readonly attempt: number;
  readonly plan: StoryPlan;
  readonly head: string;
  readonly tree: string;
}

export const noStories: StoriesState = {
  plan: null,
  look: null,
  planProblem: null,
  looks: 0,
  isByHand: false,
  ranges: {},
  lastWorkedOn: null,
  feedback: {},
  atCap: [],
};
