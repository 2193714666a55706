import type { Plan, PlanTask } from '../../journal/words/plan.ts';

export interface Layers {
  /** Each task is one layer below the lowest one it needs, in the order of the plan. */
  readonly layers: readonly (readonly PlanTask[])[];
  /** Tasks in a cycle, or behind one: they are in no layer. */
  readonly inCycle: readonly PlanTask[];
}

interface Node {
  readonly task: PlanTask;
  readonly index: number;
  readonly dependants: Node[];
  missing: number;
}

/** The layers of a plan, from the tasks that can begin at once to the last ones. Linear, without recursion. Needs that are not in the plan are ignored. */
export function layersOf(plan: Plan): Layers {
  const nodes = connected(plan);
  const layers: PlanTask[][] = [];
  let layer = nodes.filter((node) => node.missing === 0);
  let placed = 0;
  while (layer.length > 0) {
    placed += layer.length;
    layers.push(layer.map((node) => node.task));
    layer = freedBy(layer);
  }
  return { layers, inCycle: placed === nodes.length ? [] : nodes.filter((node) => node.missing > 0).map((node) => node.task) };
}

function connected(plan: Plan): readonly Node[] {
  const nodes = plan.tasks.map((task, index): Node => ({ task, index, dependants: [], missing: 0 }));
  const byId = new Map(nodes.map((node) => [node.task.id, node]));
  for (const node of nodes) {
    for (const need of new Set(node.task.needs)) {
      const needed = byId.get(need);
      if (needed === undefined) continue;
      needed.dependants.push(node);
      node.missing += 1;
    }
  }
  return nodes;
}

function freedBy(layer: readonly Node[]): Node[] {
  const freed: Node[] = [];
  for (const { dependants } of layer) {
    for (const node of dependants) {
      node.missing -= 1;
      if (node.missing === 0) freed.push(node);
    }
  }
  return freed.sort((a, b) => a.index - b.index);
}
