import type { StoryMode } from '../../journal/words/story.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';

/** How a run reviews. */
export interface Rules {
  /** The last review of a story: what it finds wrong is noted, and the story counts. */
  readonly cap: number;
  readonly skipReview: boolean;
}

/** The turns in which an agent fills in the list. A reviewer says what it finds, and writes nothing. */
export type WorkMode = Exclude<StoryMode, 'review'>;

/** What an agent was let in for. */
export interface Turn extends Rules {
  readonly mode: WorkMode;
  readonly story: string;
}

/** What a reviewer writes in front of what is left when a story counts all the same. */
export const AT_CAP = '[AUTO-APPROVED AT CAP]';

/** Whether the next review of a story is the last one it gets. */
export function isLastReview(reviewCount: number, cap: number): boolean {
  return reviewCount + 1 >= cap;
}

/** What the count is after one more review. It may stand one above the cap, where a story has to be reviewed again because its gates were red. */
export function countAfterReview(reviewCount: number, cap: number): number {
  return Math.max(reviewCount, Math.min(reviewCount + 1, cap + 1));
}

export function saysAtCap(feedback: string): boolean {
  return feedback.trimStart().toUpperCase().startsWith(AT_CAP);
}

/** The feedback without the prefix, however often it was written. */
export function withoutAtCap(feedback: string): string {
  let rest = feedback.trim();
  while (saysAtCap(rest)) rest = rest.slice(AT_CAP.length).trimStart();
  return rest;
}

const LONGEST_NAME = 80;
const MOST_NAMED = 10;
const MOST_LINES = 40;

/** An id or a title as it may stand in a sentence: on one line, and no longer than a name may be. */
export function storyName(text: string): string {
  return truncateCodePoints(oneLine(text), LONGEST_NAME, '…');
}

/** Ids in a sentence: the first ten, and how many more there are. */
export function storyNames(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED).map(storyName).join(', ');
  return ids.length > MOST_NAMED ? `${named} and ${ids.length - MOST_NAMED} more` : named;
}

/** As many lines as anybody reads, and how many more there are: whoever fills a list with nonsense does not fill the next prompt with it. */
export function fewLines(lines: readonly string[]): readonly string[] {
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more like these.`] : lines;
}
