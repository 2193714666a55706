import type { PlanProblem } from '../../journal/words/plan.ts';

/** A text with the file it stands in, so that what is wrong with it can be shown. */
export interface Page {
  readonly file: string;
  readonly text: string;
  readonly lineOf: (offset: number) => number;
}

/** Where something stands that may turn out to be wrong. */
export interface Spot {
  readonly page: Page;
  readonly offset: number;
}

/** A part of a file begins on a line of its own number. */
export function openPage(file: string, text: string, firstLine = 1): Page {
  let starts: number[] | null = null;
  return {
    file,
    text,
    lineOf(offset) {
      starts ??= lineStarts(text);
      return firstLine + countUpTo(starts, offset) - 1;
    },
  };
}

export function problemAt({ page, offset }: Spot, message: string, task: string | null = null): PlanProblem {
  return { file: page.file, line: page.lineOf(offset), message, task };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  return starts;
}

/** How many of them are not beyond the offset. */
function countUpTo(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
