import { oneLine } from '../../kit/pure/one-line.ts';
import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';

const LONGEST_NAME = 80;
const MOST_NAMED = 10;

/** An id as it may stand in a sentence: on one line, and no longer than a name may be. */
export function shortName(id: string): string {
  return truncateCodePoints(oneLine(id), LONGEST_NAME, '...');
}

/** Ids in a sentence: the first ten, and how many more there are. */
export function nameList(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED).map(shortName).join(', ');
  return ids.length > MOST_NAMED ? `${named} and ${ids.length - MOST_NAMED} more` : named;
}
