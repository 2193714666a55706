import { createHash } from 'node:crypto';
import type { PlanReading, PlanStore } from '../../src/engine/ports/stores.ts';
import type { Plan, PlanEdit, PlanProblem, PlanTask } from '../../src/journal/words/plan.ts';

export interface MemoryPlan extends PlanStore {
  /** As somebody else writes it; null: it is gone. */
  rewrite(plan: Plan | null, problems?: readonly PlanProblem[]): void;
  /** As it is now. */
  tasks(): readonly PlanTask[];
}

/** A plan in memory. */
export function memoryPlan(begin: Plan | null, path = 'task-graph.yaml'): MemoryPlan {
  let now: { readonly plan: Plan | null; readonly problems: readonly PlanProblem[] } | null = begin && { plan: begin, problems: [] };
  const reading = (): PlanReading | null => now && { ...structuredClone(now), digest: digestOf(now) };
  return {
    pathspecs: [path],
    read: async () => reading(),
    async write(digest, edits) {
      const found = reading();
      if (!found?.plan || found.digest !== digest) return 'changed';
      now = { plan: edits.reduce(edited, found.plan), problems: found.problems };
      return 'written';
    },
    rewrite(plan, problems = []) {
      now = plan === null && problems.length === 0 ? null : { plan, problems };
    },
    tasks: () => now?.plan?.tasks ?? [],
  };
}

function edited(plan: Plan, edit: PlanEdit): Plan {
  if (edit.kind === 'add') return { ...plan, tasks: [...plan.tasks, edit.task] };
  const change = edit.kind === 'status' ? { status: edit.status } : definedIn(edit.fields);
  return { ...plan, tasks: plan.tasks.map((task) => (task.id === edit.id ? { ...task, ...change } : task)) };
}

function definedIn(fields: Extract<PlanEdit, { kind: 'reword' }>['fields']): Partial<PlanTask> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function digestOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
