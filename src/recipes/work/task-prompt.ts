import type { AnsweredQuestion } from '../../journal/words/claim.ts';
import type { Plan, PlanGroup, PlanTask } from '../../journal/words/plan.ts';
import { shellQuote } from '../../kit/pure/shell-words.ts';
import { codeSpan, fenced } from '../../kit/pure/text.ts';
import { mistypedPlaceholders } from '../shared/placeholders.ts';
import { answersText, HOW_TO_ASK, promptBlock, promptLine, promptList } from '../shared/prompt-text.ts';

export interface TaskPromptRequest {
  /** The operator's, or DEFAULT_TASK_TEMPLATE. */
  readonly template: string;
  readonly task: PlanTask;
  readonly project: string;
  /** Relative to the top of the work tree, like all paths here. */
  readonly planPath: string;
  /** Named, never inserted into the prompt: the agent reads what it needs. */
  readonly filesFirst: readonly string[];
  /** The commands that must be green beside the task's own: the plan's and the operator's. */
  readonly checks: readonly string[];
  /** Why the earlier try failed; empty: there was none. */
  readonly feedback: string;
  /** Whether the branch contains the work of an earlier try. */
  readonly goesOn: boolean;
  /** What people have answered about the task. */
  readonly answers: readonly AnsweredQuestion[];
}

/** The prompt of a task without an operator's template (seed 000). */
export const DEFAULT_TASK_TEMPLATE = `You are implementing {{task.title}} for {{project}}.

{{files}}

Your task: {{task.id}} - {{task.title}}

{{task.description}}

{{acceptance}}

{{proof}}

{{feedback}}

When complete:
1. Commit your work on this branch. Do not push it, and do not switch to another one. If git may not write here, leave your work as it is: it is committed for you.
2. Run \`{{complete}}\`. It says that you are done; whether you are is then checked.
3. End. Do not begin another task.

Do not change the state of any task in {{plan}}, nor what it needs or what proves it: Ralph reverts that. You may add tasks that you find missing, and word better what is not complete.
If you cannot complete the task, commit what is of use, do not run that command, and say at the end what is in the way.
${HOW_TO_ASK}
`;

type Section = (request: TaskPromptRequest) => string;

const sections: Readonly<Record<string, Section>> = {
  project: ({ project }) => promptLine(project) || 'this project',
  plan: ({ planPath }) => codeSpan(promptLine(planPath)),
  files: ({ filesFirst }) => section('Read these files first:', promptList(filesFirst)),
  acceptance: ({ task }) => (task.path === null ? '' : `The acceptance criteria are in ${codeSpan(promptLine(task.path))}; all of them must be met.`),
  proof: ({ task, checks }) =>
    section('What proves that it is done, looked at by the loop itself:', [
      ...promptList(task.outputs, ' is there, not empty, and committed'),
      ...promptList([...new Set([...task.verify, ...checks])], ' is green'),
    ]),
  feedback: feedbackSection,
  complete: ({ task }) => `ralph task complete ${shellQuote(promptLine(task.id))}`,
  // The names that other loops have for them.
  task: ({ task }) => [`${promptLine(task.id)}: ${promptLine(task.title)}`, promptBlock(task.description)].filter(Boolean).join('\n\n'),
  taskId: ({ task }) => promptLine(task.id),
  taskTitle: ({ task }) => promptLine(task.title),
  taskDescription: ({ task }) => promptBlock(task.description),
  'task.id': ({ task }) => promptLine(task.id),
  'task.title': ({ task }) => promptLine(task.title),
  'task.description': ({ task }) => promptBlock(task.description),
  'task.story': ({ task }) => promptLine(task.story ?? ''),
  'task.milestones': ({ task }) => promptLine(task.milestones.join(', ')),
  'task.tags': ({ task }) => promptLine(task.tags.join(', ')),
  'task.complexity': ({ task }) => promptLine(task.complexity ?? ''),
  'task.needs': ({ task }) => promptLine(task.needs.join(', ')),
  'task.path': ({ task }) => promptLine(task.path ?? ''),
  'task.outputs': ({ task }) => promptList(task.outputs).join('\n'),
  'task.verify': ({ task }) => promptList(task.verify).join('\n'),
};

/** The prompt of one task. If the template leaves the feedback out, it is added at the end: without it, the next try would be the same. */
export function buildTaskPrompt(request: TaskPromptRequest): string {
  const values = new Map(Object.entries(sections).map(([name, section]) => [name, section(request)]));
  const prompt = fillTemplate(request.template, values).trim();
  const feedback = asksFor(request.template, 'feedback') ? '' : feedbackSection(request);
  return `${[prompt, ...(feedback === '' ? [] : [feedback])].join('\n\n')}\n`;
}

/** The problems of a template, one sentence with a line number each; empty: it can be used. */
export function templateProblems(template: string): readonly string[] {
  return mistypedPlaceholders(template, { pattern: /\{\{([^{}]{0,80})\}\}/g, names: Object.keys(sections), show: (name) => `{{${name}}}` });
}

function feedbackSection({ feedback, goesOn, answers }: TaskPromptRequest): string {
  const told = answersText(answers, 'task');
  const text = promptBlock(feedback);
  const why = text === '' ? [] : [`An earlier try at this task did not get through. This is why; see to it first:\n\n${fenced(text)}`];
  const left = goesOn ? ['Somebody has begun this task before you, and what they did is on this branch: see `git log` and go on from there.'] : [];
  return [...left, ...why, ...(told === '' ? [] : [told])].join('\n\n');
}

const section = (heading: string, lines: readonly string[]) => (lines.length === 0 ? '' : [heading, ...lines].join('\n'));

const PLACEHOLDER = /\{\{[ \t]*([^{}\s]{1,80})[ \t]*\}\}/g;
/** A placeholder alone on a line, with the empty line after it. */
const ALONE = /^[ \t]*\{\{[ \t]*([^{}\s]{1,80})[ \t]*\}\}[ \t]*(?:\n(?:[ \t]*\n)?|$)/gm;

/** Replaces `{{name}}` by its value. Values are not expanded again, so a text cannot bring placeholders. A line whose only placeholder is empty is removed. */
function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template
    .replaceAll('\r\n', '\n')
    .replace(ALONE, (line, name: string) => (values.get(name) === '' ? '' : line))
    .replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
}

/** Whether a template uses that value. */
function asksFor(template: string, name: string): boolean {
  return [...template.matchAll(PLACEHOLDER)].some((found) => found[1] === name);
}

/** Files that an agent looks for anyway; named if they exist. */
const NOTES = ['AGENTS.md', 'CLAUDE.md'] as const;

/** The files an agent may want to read first, from general to specific; the caller checks which of them exist. */
export function filesFirst(plan: Plan, task: PlanTask, planPath: string): readonly string[] {
  const paths = [
    ...NOTES,
    ...pathsOf(plan.milestones, task.milestones),
    ...pathsOf(plan.stories, task.story === null ? [] : [task.story]),
    ...(task.path === null ? [] : [task.path]),
    planPath,
  ];
  return [...new Set(paths)];
}

function pathsOf(groups: readonly PlanGroup[], ids: readonly string[]): readonly string[] {
  return groups.flatMap((group) => (ids.includes(group.id) && group.path !== null ? [group.path] : []));
}
