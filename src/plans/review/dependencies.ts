import type { Story } from '../../journal/words/story.ts';
import { findCycles } from '../../kit/pure/find-cycles.ts';
import { storyName } from './turn.ts';

type Needs = ReadonlyMap<string, readonly string[]>;

/** Why a story of this list could never be begun: it waits for what is not there, or for itself. */
export function dependencyProblems(stories: readonly Story[]): readonly string[] {
  const needs: Needs = new Map(stories.map(({ id, dependsOn }) => [id, dependsOn]));
  const dangling = stories.flatMap(({ id, dependsOn }) =>
    dependsOn
      .filter((need) => !needs.has(need))
      .map((need) => `Story ${storyName(id)} dependsOn '${storyName(need)}', which is not in the list. Name a story that is, or take it out.`),
  );
  const own = stories
    .filter(({ id, dependsOn }) => dependsOn.includes(id))
    .map(({ id }) => `Story ${storyName(id)} dependsOn itself. Take that out of its dependsOn.`);
  const circles = findCycles(needs.keys(), (id) => (needs.get(id) ?? []).filter((need) => needs.has(need))).map(
    (circle) => `Stories depend on each other in a circle: ${shortCircle(circle)}. Take one dependsOn out of it.`,
  );
  return [...dangling, ...own, ...circles];
}

const MOST_IN_A_CIRCLE = 10;

function shortCircle(circle: readonly string[]): string {
  const names = circle.map(storyName);
  return (names.length > MOST_IN_A_CIRCLE ? [...names.slice(0, MOST_IN_A_CIRCLE), '…', names[0]] : names).join(' → ');
}

/**
 * Stories that are in a circle, or between two of them. Where every circle has an arrow that is new, taking out the new arrows between these
 * leaves no circle. Linear: what nobody waits for is taken away, and what waits for nobody, until nothing of that kind is left.
 */
export function entangled(needs: Needs): ReadonlySet<string> {
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
