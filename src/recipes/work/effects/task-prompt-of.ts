import { join } from 'node:path';
import { type NoPrompt, readPromptFile } from '../../../agents/run-agent/no-prompt.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import type { RunAgent } from '../../../journal/effects/effect.ts';
import type { Plan } from '../../../journal/words/plan.ts';
import { isThere } from '../../../kit/files/read.ts';
import { buildTaskPrompt, DEFAULT_TASK_TEMPLATE, filesFirst } from '../task-prompt.ts';
import { crewOf, workSpecOf } from './crew-of.ts';

type Work = NonNullable<RunAgent['work']>;

const NO_PLAN: Plan = { project: '', tasks: [], stories: [], milestones: [], verify: [] };
const FEEDBACK_ALONE = '{{feedback}}';

/** What an agent is told of its task: by the operator's prompt command, by their template, or by ours. Why the last try came to nothing is told in any case. */
export async function taskPromptOf(work: Work, ports: Pick<Ports, 'crew' | 'settings'>): Promise<string | NoPrompt> {
  // Nothing in the command's words is a placeholder.
  if (work.prompt !== null)
    return work.feedback === '' && !work.goes_on ? work.prompt : `${work.prompt.trimEnd()}\n\n${await filled(FEEDBACK_ALONE, work, ports)}`;
  const { template: file } = workSpecOf(ports);
  const template = file === null ? DEFAULT_TASK_TEMPLATE : await readPromptFile(file);
  return typeof template === 'string' ? await filled(template, work, ports) : template;
}

/** A plan that cannot be read just now keeps nobody from working: the task itself is known. */
async function filled(template: string, { task, feedback, goes_on: goesOn }: Work, ports: Pick<Ports, 'crew' | 'settings'>): Promise<string> {
  const { home, plan: where } = workSpecOf(ports);
  const plan = (await crewOf(ports).plan.read())?.plan ?? NO_PLAN;
  return buildTaskPrompt({
    template,
    task,
    project: plan.project,
    planPath: where.path,
    filesFirst: await thoseThere(home, filesFirst(plan, task, where.path)),
    checks: ports.settings.gates.map(({ command }) => command),
    feedback,
    goesOn,
  });
}

async function thoseThere(top: string, paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map((path) => isThere(join(top, path))));
  return paths.filter((_, index) => there[index]);
}
