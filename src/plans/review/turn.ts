import type { Story, StoryMode, StoryMove, Verdict } from '../../journal/words/story.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';

/** How a run reviews. */
export interface Rules {
  /** The number of the last review of a story: its findings are noted, and the story is approved. */
  readonly cap: number;
  readonly skipReview: boolean;
}

/** The modes in which an agent edits the list. A reviewer only reports, and writes nothing. */
export type WorkMode = Exclude<StoryMode, 'review'>;

/** What the agent was started for. */
export interface Turn extends Rules {
  readonly mode: WorkMode;
  readonly story: string;
}

/** The prefix of the remaining findings when a story is approved at the cap. */
export const AT_CAP = '[AUTO-APPROVED AT CAP]';

/** Whether the next review of a story is its last one. */
export function isLastReview(reviewCount: number, cap: number): boolean {
  return reviewCount + 1 >= cap;
}

/** The count after one more review. It may be one above the cap, where a story is reviewed again because its gates were red. */
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

/** An id or a title for a sentence: on one line, and no longer than a name may be. */
export function storyName(text: string): string {
  return truncateCodePoints(oneLine(text), LONGEST_NAME, '…');
}

/** Ids for a sentence: the first ten, and how many more there are. */
export function storyNames(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED).map(storyName).join(', ');
  return ids.length > MOST_NAMED ? `${named} and ${ids.length - MOST_NAMED} more` : named;
}

/** The first lines, and how many more there are: a list full of nonsense must not fill the next prompt. */
export function fewLines(lines: readonly string[]): readonly string[] {
  return lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more like these.`] : lines;
}

/** The move that a verdict causes for the story under review; null: none. An approval "at the cap" before the last review sends the story back. */
export function moveOfVerdict({ decision, feedback, notes, weak }: Verdict, { id, reviewStatus, reviewCount }: Story, cap: number): StoryMove | null {
  if (reviewStatus !== 'needs_review') return null;
  const said = { story: id, notes, weak };
  if (decision === 'changes_requested') return { ...said, to: decision, feedback: withoutAtCap(feedback) };
  if (!saysAtCap(feedback) || isLastReview(reviewCount, cap)) return { ...said, to: decision, feedback };
  const left = withoutAtCap(feedback);
  return left === '' ? null : { ...said, to: 'changes_requested', feedback: left };
}
