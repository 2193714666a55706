import { howToAnswer } from '../../journal/words/claim.ts';
import type { Plan, PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { oneLine, truncateCodePoints } from '../../kit/pure/text.ts';
import { type Hold, type Holds, missingLabels, type Standing, type Standings } from './standing.ts';

/** A line with more tasks would be too long to read. */
const MOST_TASKS = 3;

export interface Obstacles {
  readonly plan: Plan;
  readonly holds: Holds;
  readonly standings: Standings;
  /** The tasks that match the filter. */
  readonly admitted: readonly PlanTask[];
  readonly filter: TaskFilter;
}

/** Why none of these tasks can be taken, on one line: a few of them, and who or what each one waits for. */
export function obstacleText({ plan, holds, standings, admitted, filter }: Obstacles): string {
  if (plan.tasks.length === 0) return 'the plan has no tasks';
  if (admitted.length === 0) return `no task has ${filterText(filter)}`;
  const { first, count } = firstOpen(admitted, standings);
  if (count === 0) return admitted.length === 1 ? 'the one task is complete' : `all ${admitted.length} tasks are complete`;
  const needs = new Map(plan.tasks.map((task) => [task.id, task.needs]));
  const missing = new Map(plan.tasks.map((task) => [task.id, missingLabels(task, filter)]));
  const told = first.map((task) => {
    const cause = rootCause(task.id, needs, standings);
    if (cause === null) return `${shortName(task.id)} waits for itself`;
    const standing = standings.get(cause);
    const why =
      standing === 'ready'
        ? readyText(missing.get(cause) ?? [])
        : standing === 'parked'
          ? parkedText(cause, holds.get(cause))
          : whyNot(standing, holds.get(cause));
    return cause === task.id ? `${shortName(cause)} ${why}` : `${shortName(task.id)} waits for ${shortName(cause)}, which ${why}`;
  });
  return [...told, ...(count > told.length ? [`and ${count - told.length} more`] : [])].join('; ');
}

/** A few of the tasks that are not complete, and how many there are. Tasks that a person can act on come before those that only wait. */
function firstOpen(tasks: readonly PlanTask[], standings: Standings): { readonly first: readonly PlanTask[]; readonly count: number } {
  const buckets: Readonly<Record<Exclude<Standing, 'complete'>, PlanTask[]>> = {
    held: [],
    parked: [],
    failed: [],
    conflict: [],
    blocked: [],
    waiting: [],
    ready: [],
  };
  let count = 0;
  for (const task of tasks) {
    const standing = standings.get(task.id) ?? 'waiting';
    if (standing === 'complete') continue;
    count += 1;
    if (buckets[standing].length < MOST_TASKS) buckets[standing].push(task);
  }
  return { first: Object.values(buckets).flat().slice(0, MOST_TASKS), count };
}

function whyNot(standing: Standing | undefined, hold: Hold | undefined): string {
  switch (standing) {
    case undefined:
      return 'is not in the plan';
    case 'held':
      return heldBy(hold);
    case 'failed':
      return 'has failed';
    case 'conflict':
      return 'cannot be merged';
    case 'blocked':
      return hold?.done === 'elsewhere' ? 'is done on another branch, and not on this one' : 'is blocked';
    case 'complete':
    case 'parked':
    case 'waiting':
    case 'ready':
      return `is ${standing}`;
  }
}

const readyText = (missing: readonly string[]) => (missing.length === 0 ? 'is ready' : `runs on ${nameList(missing)}, which this worker does not have`);

/** Includes the command that allows or answers it. */
function parkedText(id: string, hold: Hold | undefined): string {
  const run = hold?.register?.holder?.run ?? null;
  if (hold?.register?.question !== undefined) return `asks a person${run === null ? '' : `: ${howToAnswer({ task: id }, run)}`}`;
  return `is held for a person${run === null ? '' : `: ralph accept ${run} --task ${shellQuote(id)}`}`;
}

function heldBy(hold: Hold | undefined): string {
  if (hold?.register === null) return 'has a register that cannot be read';
  if (hold?.register.state !== 'held') return 'is in progress by its file';
  return `is held by ${shortName(hold.register.holder?.name ?? 'somebody')}`;
}

/** From a task down its first incomplete needs to the first one that does not wait itself; null for a cycle. */
function rootCause(id: string, needs: ReadonlyMap<string, readonly string[]>, standings: Standings): string | null {
  const seen = new Set<string>();
  let at = id;
  while (standings.get(at) === 'waiting') {
    if (seen.has(at)) return null;
    seen.add(at);
    at = needs.get(at)?.find((need) => standings.get(need) !== 'complete') ?? at;
  }
  return at;
}

function filterText({ story, milestone, tags }: TaskFilter): string {
  const wanted = [...(story === null ? [] : [`story ${story}`]), ...(milestone === null ? [] : [`milestone ${milestone}`]), ...tags.map((tag) => `tag ${tag}`)];
  return wanted.map(shortName).join(', ');
}

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
