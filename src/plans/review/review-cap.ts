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
