import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { printable } from '../../../kit/pure/text.ts';
import { io } from '../../../process/io.ts';
import type { RunOptions } from '../../../runs/run-options.ts';
import { dryRunOfWork, type WorkDryRun } from '../start/dry-run.ts';
import type { WorkRequest } from '../start/work-request.ts';

/** Prints the order of the tasks, and the command and prompt of the first attempt; runs nothing and writes nothing. */
export async function dryRun(request: RunOptions & WorkRequest, { json }: { readonly json: boolean }): Promise<number> {
  const found = await dryRunOfWork(request);
  io().stdout.write(json ? `${JSON.stringify(jsonOf(found))}\n` : `${linesOf(found).join('\n')}\n`);
  return 0;
}

function jsonOf({ plan, workers, order, first }: WorkDryRun): object {
  const after = order.end.reason === 'all-complete' ? null : order.end.detail;
  return { plan, workers, tasks: order.tasks.map(({ id, title }) => ({ task: id, title })), after, first };
}

function linesOf({ plan, workers, order, first }: WorkDryRun): readonly string[] {
  const { tasks, end } = order;
  const after = end.reason === 'all-complete' ? [] : [`Not in this run: ${printable(end.detail)}`];
  if (first === null) return [`Plan: ${printable(plan)}, no task is ready`, ...after];
  const many = workers === 1 ? 'one after the other' : `${workers} at a time`;
  return [
    `Plan: ${printable(plan)}, ${tasks.length === 1 ? '1 task' : `${tasks.length} tasks in this order, ${many}`}`,
    ...tasks.map(({ id, title }, index) => `  ${index + 1}. ${printable(id)}  ${printable(title)}`),
    ...after,
    `Command: ${first.command.map(shellQuote).join(' ')}`,
    `Directory: a worktree of its own, on the branch ${printable(first.branch)}`,
    ...(first.prompt === null ? ['Prompt: what --prompt-command prints'] : [`Prompt of ${printable(first.task)} (on standard input):`, first.prompt]),
  ];
}
