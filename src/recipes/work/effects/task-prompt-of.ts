import { join } from 'node:path';
import { readPromptFile, type UnreadablePrompt } from '../../../agents/run-agent/prompt-file.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { RunAgent } from '../../../journal/effects/effect.ts';
import type { AnsweredQuestion } from '../../../journal/words/claim.ts';
import type { Plan } from '../../../journal/words/plan.ts';
import { pathExists } from '../../../kit/files/read.ts';
import { buildTaskPrompt, DEFAULT_TASK_TEMPLATE, filesFirst } from '../task-prompt.ts';

type Work = NonNullable<RunAgent['work']>;
type Answered = { readonly answers: readonly AnsweredQuestion[] };

const NO_PLAN: Plan = { project: '', tasks: [], stories: [], milestones: [], verify: [] };
const FEEDBACK_ALONE = '{{feedback}}';

/** The prompt of a task: from the operator's prompt command, from their template, or from ours. It always says why the last try failed. */
export async function taskPromptOf(
  work: Work,
  ports: Pick<PlanPorts, 'work' | 'settings'>,
  answers: readonly AnsweredQuestion[],
): Promise<string | UnreadablePrompt> {
  const task = { ...work, answers };
  // The output of the command contains no placeholders.
  if (work.prompt !== null)
    return work.feedback === '' && !work.goes_on && answers.length === 0
      ? work.prompt
      : `${work.prompt.trimEnd()}\n\n${await filled(FEEDBACK_ALONE, task, ports)}`;
  const { template: file } = ports.settings.work;
  const template = file === null ? DEFAULT_TASK_TEMPLATE : await readPromptFile(file);
  return typeof template === 'string' ? await filled(template, task, ports) : template;
}

/** An unreadable plan does not stop the work: the task itself is known. */
async function filled(
  template: string,
  { task, feedback, goes_on: goesOn, answers }: Work & Answered,
  ports: Pick<PlanPorts, 'work' | 'settings'>,
): Promise<string> {
  const { home, plan: where } = ports.settings.work;
  const plan = (await ports.work.plan.read())?.plan ?? NO_PLAN;
  return buildTaskPrompt({
    template,
    task,
    project: plan.project,
    planPath: where.path,
    filesFirst: await existing(home, filesFirst(plan, task, where.path)),
    checks: ports.settings.gates.map(({ command }) => command),
    feedback,
    goesOn,
    answers,
  });
}

async function existing(top: string, paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map((path) => pathExists(join(top, path))));
  return paths.filter((_, index) => there[index]);
}
