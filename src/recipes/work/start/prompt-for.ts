import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readText } from '../../../kit/files/read-text.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { ChosenTask } from '../../../plans/tasks/claim-task.ts';
import type { PlanPlace } from '../../../plans/tasks/open-tasks.ts';
import { buildTaskPrompt, DEFAULT_TASK_TEMPLATE, filesFirst, templateProblems } from '../task-prompt.ts';

/** The prompt that an agent would get for that task here. */
export function promptFor({ task, plan, feedback }: ChosenTask, template: string, { plan: { path }, top }: PlanPlace): string {
  const files = filesFirst(plan, task, path).filter((file) => existsSync(join(top, file)));
  return buildTaskPrompt({
    template,
    task,
    project: plan.project,
    planPath: path,
    filesFirst: files,
    checks: plan.verify,
    feedback,
    goesOn: false,
    answers: [],
  });
}

/** The operator's template, if it is valid; otherwise the built-in one. Read before anything is claimed. */
export async function templateOf(file: string | null, cwd: string): Promise<string> {
  if (file === null) return DEFAULT_TASK_TEMPLATE;
  const read = await readText(resolve(cwd, file), 'read pipes');
  if (read.kind !== 'text') throw unfit(`the template cannot be read: ${file}: ${read.reason}`, 'Check the path.');
  const [problem] = templateProblems(read.text);
  if (problem !== undefined)
    throw unfit(`${file}: ${problem}`, 'In a code block it would be left as it is; ralph task prompt --print-template shows the built-in template.');
  return read.text;
}

function unfit(message: string, hint: string): OperatorError {
  return new OperatorError('template-unfit', message, { hint, exitCode: 2 });
}
