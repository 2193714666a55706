import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlanStore } from '../../src/engine/ports/stores.ts';
import type { Plan, PlanEdit, PlanTask } from '../../src/journal/words/plan.ts';

export const PLAN_FILE = 'plan.json';

/** A task for tests; say only what differs. */
export function planTask(id: string, over: Partial<PlanTask> = {}): PlanTask {
  const nothing = { description: '', story: null, milestones: [], tags: [], priority: 0, complexity: null, needs: [], outputs: [], verify: [], path: null };
  return { id, title: `Do ${id}`, status: 'pending', ...nothing, ...over };
}

export const planWith = (...tasks: readonly PlanTask[]): Plan => ({ project: 'demo', tasks, stories: [], milestones: [], verify: [] });

export const planText = (plan: Plan) => `${JSON.stringify(plan, null, 2)}\n`;

/** A plan store whose file is the plan itself. */
export function jsonPlan(top: string): PlanStore {
  const file = join(top, PLAN_FILE);
  const load = () => readFile(file, 'utf8').catch(() => null);
  return {
    pathspecs: [PLAN_FILE],
    async read() {
      const text = await load();
      if (text === null) return null;
      try {
        return { plan: JSON.parse(text) as Plan, digest: digestOf(text), problems: [] };
      } catch (error) {
        return { plan: null, digest: digestOf(text), problems: [{ file: PLAN_FILE, line: 1, message: String(error), task: null }] };
      }
    },
    async write(digest, edits) {
      const text = await load();
      if (text === null || digestOf(text) !== digest) return 'changed';
      await writeFile(file, planText(edits.reduce(edited, JSON.parse(text) as Plan)));
      return 'written';
    },
  };
}

function edited(plan: Plan, edit: PlanEdit): Plan {
  if (edit.kind === 'add') return { ...plan, tasks: [...plan.tasks, edit.task] };
  const change = edit.kind === 'status' ? { status: edit.status } : edit.fields;
  return { ...plan, tasks: plan.tasks.map((task) => (task.id === edit.id ? ({ ...task, ...change } as PlanTask) : task)) };
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
