import { readFile } from 'node:fs/promises';
import { packagePath } from '../../kit/files/package-root.ts';
import { dayOf } from './plan-names.ts';

export type PlanFileName = 'prd.md' | 'tasks.json' | 'progress.txt' | 'prompt.md';

async function readTemplate(name: PlanFileName): Promise<string> {
  return await readFile(packagePath('templates', name), 'utf8');
}

export interface FreshPlan {
  readonly project: string;
  /** Null: whoever writes the stories has to choose one. */
  readonly branch: string | null;
  readonly nowMs: number;
}

/** The files of a new plan. */
export async function freshFiles(fresh: FreshPlan): Promise<Readonly<Record<PlanFileName, string>>> {
  const [prd, tasks, progress, prompt] = await Promise.all([
    readTemplate('prd.md'),
    readTemplate('tasks.json'),
    readTemplate('progress.txt'),
    readTemplate('prompt.md'),
  ]);
  return { 'prd.md': filled(prd, fresh), 'tasks.json': tasksOf(tasks, fresh), 'progress.txt': filled(progress, fresh), 'prompt.md': prompt };
}

function filled(template: string, { project, nowMs }: FreshPlan): string {
  const values: Readonly<Record<string, string>> = { '{{DATE}}': dayOf(nowMs), '{{PROJECT_NAME}}': project };
  return template.replaceAll(/\{\{(?:DATE|PROJECT_NAME)\}\}/g, (name) => values[name] ?? name);
}

function tasksOf(template: string, { project, branch }: FreshPlan): string {
  const tasks = { ...JSON.parse(template), project, ...(branch !== null && { branchName: branch }) };
  return `${JSON.stringify(tasks, null, 2)}\n`;
}
