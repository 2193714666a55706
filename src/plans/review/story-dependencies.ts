import type { Story } from '../../journal/words/story.ts';
import { findCycles } from '../../kit/pure/find-cycles.ts';
import { storyName } from './turn.ts';

type Needs = ReadonlyMap<string, readonly string[]>;

/** Why a story of this list could never begin: it waits for a missing story, or for itself. */
export function dependencyProblems(stories: readonly Story[]): readonly string[] {
  const needs: Needs = new Map(stories.map(({ id, dependsOn }) => [id, dependsOn]));
  const dangling = stories.flatMap(({ id, dependsOn }) =>
    dependsOn
      .filter((need) => !needs.has(need))
      .map((need) => `Story ${storyName(id)} dependsOn '${storyName(need)}', which is not in the list. Name a story that is, or remove it.`),
  );
  const own = stories
    .filter(({ id, dependsOn }) => dependsOn.includes(id))
    .map(({ id }) => `Story ${storyName(id)} dependsOn itself. Remove that from its dependsOn.`);
  const cycles = findCycles(needs.keys(), (id) => (needs.get(id) ?? []).filter((need) => needs.has(need))).map(
    (cycle) => `Stories depend on each other in a cycle: ${shortCycle(cycle)}. Remove one dependsOn from it.`,
  );
  return [...dangling, ...own, ...cycles];
}

const MOST_IN_A_CYCLE = 10;

function shortCycle(cycle: readonly string[]): string {
  const names = cycle.map(storyName);
  return (names.length > MOST_IN_A_CYCLE ? [...names.slice(0, MOST_IN_A_CYCLE), '…', names[0]] : names).join(' → ');
}

/**
 * Stories in a cycle, or between two cycles. If every cycle has a new arrow, removing the new arrows between these stories leaves no cycle. Linear: stories
 * that nobody waits for, and stories that wait for nobody, are removed until none is left.
 */
export function storiesInCycles(needs: Needs): ReadonlySet<string> {
  const left = peel(new Set(needs.keys()), needs);
  return peel(left, reversed(left, needs));
}

/** Without those that lead nowhere. */
function peel(ids: ReadonlySet<string>, arrows: Needs): ReadonlySet<string> {
  const from = reversed(ids, arrows);
  const open = new Map([...ids].map((id) => [id, (arrows.get(id) ?? []).filter((to) => ids.has(to)).length]));
  const left = new Set(ids);
  const free = [...ids].filter((id) => open.get(id) === 0);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    left.delete(id);
    for (const before of from.get(id) ?? []) {
      const rest = (open.get(before) ?? 0) - 1;
      open.set(before, rest);
      if (rest === 0) free.push(before);
    }
  }
  return left;
}

function reversed(ids: ReadonlySet<string>, arrows: Needs): Needs {
  const back = new Map<string, string[]>([...ids].map((id) => [id, []]));
  for (const id of ids) for (const to of arrows.get(id) ?? []) back.get(to)?.push(id);
  return back;
}
