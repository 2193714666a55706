import type { PlanTask } from '../../journal/words/plan.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';

export type Wording = Partial<Pick<PlanTask, 'title' | 'description' | 'complexity' | 'tags'>>;

const LONGEST_TITLE = 300;
const LONGEST_DESCRIPTION = 20_000;
const LONGEST_WORD = 100;
const MOST_TAGS = 50;

/** The fields that an agent has reworded in a task; empty: none. */
export function wordingOf(was: PlanTask, is: PlanTask): Wording {
  return {
    ...(was.title === is.title ? {} : { title: is.title }),
    ...(was.description === is.description ? {} : { description: is.description }),
    ...(was.complexity === is.complexity ? {} : { complexity: is.complexity }),
    ...(sameList(was.tags, is.tags) ? {} : { tags: is.tags }),
  };
}

/** What is wrong with an agent's wording; null: nothing. It will be part of every later prompt and picture. */
export function wordingProblem({ title, description, complexity, tags }: Wording): string | null {
  if (title !== undefined && title.trim() === '') return 'its title is empty';
  if ((title?.length ?? 0) > LONGEST_TITLE) return `its title is longer than ${LONGEST_TITLE} characters`;
  if ((description?.length ?? 0) > LONGEST_DESCRIPTION) return `its description is longer than ${LONGEST_DESCRIPTION} characters; put the text into a file`;
  if ((complexity?.length ?? 0) > LONGEST_WORD) return `its complexity is longer than ${LONGEST_WORD} characters`;
  if ((tags?.length ?? 0) > MOST_TAGS) return `it has more than ${MOST_TAGS} tags`;
  return tags?.some((tag) => tag.length > LONGEST_WORD) ? `a tag of it is longer than ${LONGEST_WORD} characters` : null;
}

export function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

const LONGEST_NAME = 80;
const MOST_NAMED = 10;

/** An id for a sentence: on one line, and no longer than a name may be. */
export function shortName(id: string): string {
  return truncateCodePoints(oneLine(id), LONGEST_NAME, '...');
}

/** Ids for a sentence: the first ten, and how many more there are. */
export function nameList(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED).map(shortName).join(', ');
  return ids.length > MOST_NAMED ? `${named} and ${ids.length - MOST_NAMED} more` : named;
}
