import type { Story, StoryPlan } from '../../src/journal/words/story.ts';

/** Fields an agent may write whatever it likes into. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };
type WrittenStory = Writable<Story>;

/** What story-agent.mjs hands to the part it plays. */
interface StoryActor {
  readonly nth: number;
  readonly mode: 'implement' | 'review' | 'review-fix';
  readonly prompt: string;
  /** The list as it was found; `save` writes it. */
  readonly plan: Writable<Omit<StoryPlan, 'userStories'>> & { userStories: WrittenStory[] };
  readonly story: WrittenStory;
  /** The folder beside the repository. */
  readonly stage: string;
  of(id: string): WrittenStory;
  read(path: string): string | null;
  write(path: string, text: string): void;
  sh(command: string): string;
  good(): void;
  implement(): void;
  /** A reviewer's verdict, which is the last thing it says. */
  approve(feedback?: string): void;
  reject(feedback: string): void;
  /** What somebody writes into the list to have it look approved; `save` writes it. */
  forge(fields?: Partial<Story>): void;
  fix(): void;
  save(): void;
  commit(message?: string, ...flags: readonly string[]): void;
  end(message?: string): void;
  say(text: string): void;
  silently(): void;
  hang(): Promise<never>;
}

/** Played in a process of its own: it can use nothing but what it is given. What it returns is the exit code. */
// biome-ignore lint/suspicious/noConfusingVoidType: a part that returns nothing ends well.
export type Part = (me: StoryActor) => number | void | Promise<number | void>;

/** One after the other. */
export type Parts = Part | readonly Part[];

/** What one call of the agent has found before it did anything. */
export interface StoryCall {
  readonly nth: number;
  readonly mode: string;
  readonly story: string;
  readonly prompt: string;
  readonly args: readonly string[];
  readonly form: string | null;
  readonly prd: string | null;
  readonly template: string | null;
  readonly marker: string | null;
  readonly head: string;
  /** The subjects of all commits, the newest first. */
  readonly log: string;
  readonly dirty: string;
  /** What the stop hook said each time it was asked. */
  readonly stops?: readonly string[];
}

/** Parts that are needed everywhere. */
export const works: Part = (me) => {
  me.good();
  me.end();
};
export const claims: Part = (me) => {
  me.good();
  me.end();
  me.say('<promise>COMPLETE</promise>');
};
export const rejects: Part = (me) => {
  me.reject('Not yet.');
  me.end();
};
export const idles: Part = (me) => me.say('I looked around.');
/** A reviewer without a verdict is asked so often in one iteration. */
export const silentReview: readonly Part[] = [idles, idles, idles];
