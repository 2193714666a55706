/** The requested dependencies of a task, one or several in a word, separated by commas. Each is named once, in the order of its first mention. */
export function normalizeDependencies(asked: readonly string[]): readonly string[] {
  const names = asked.flatMap((text) => text.split(',')).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/** Why a task could never begin; null when it can. The map has the needs of each task. */
export function dependencyProblem(task: string, needs: ReadonlyMap<string, readonly string[]>): string | null {
  if (needs.get(task)?.includes(task)) return `task ${task} cannot depend on itself`;
  const cycle = firstCycle(task, needs);
  return cycle === null ? null : `dependency cycle detected: ${cycle.join(' -> ')}`;
}

interface Step {
  readonly task: string;
  readonly left: string[];
}

/** Walks down from the task without recursion, since a chain may be longer than the stack. A cycle begins and ends with the same task. */
function firstCycle(task: string, needs: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const cleared = new Set<string>();
  const stepTo = (name: string): Step => ({ task: name, left: (needs.get(name) ?? []).toReversed() });
  const path = [stepTo(task)];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const next = last.left.pop();
    if (next === undefined) {
      cleared.add(last.task);
      path.pop();
    } else if (!cleared.has(next)) {
      const begin = path.findIndex((step) => step.task === next);
      if (begin >= 0) return [...path.slice(begin).map((step) => step.task), next];
      path.push(stepTo(next));
    }
  }
  return null;
}
