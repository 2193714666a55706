import { oneLine } from '../../kit/pure/one-line.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';

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
