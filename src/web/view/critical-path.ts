import type { TaskNode } from './page.ts';

/** The longest chain of tasks that are not complete, the first one first: the run cannot be shorter. Empty when all are complete. */
export function criticalPath(tasks: readonly TaskNode[]): readonly string[] {
  const open = new Map(tasks.filter(({ standing }) => standing !== 'complete').map((task) => [task.id, task]));
  const chains = new Map<string, readonly string[]>();

  function chainTo(id: string, above: ReadonlySet<string>): readonly string[] {
    const known = chains.get(id);
    if (known !== undefined) return known;
    // A plan with a cycle cannot be worked on, but it can be looked at.
    const needs = (open.get(id)?.needs ?? []).filter((need) => open.has(need) && !above.has(need));
    const longest = needs
      .map((need) => chainTo(need, new Set([...above, id])))
      .reduce<readonly string[]>((best, each) => (each.length > best.length ? each : best), []);
    const chain = [...longest, id];
    chains.set(id, chain);
    return chain;
  }

  return [...open.keys()].map((id) => chainTo(id, new Set())).reduce<readonly string[]>((best, each) => (each.length > best.length ? each : best), []);
}
