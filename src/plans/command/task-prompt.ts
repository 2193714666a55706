import { currentDirectory } from '../../cli/shared/flags.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { io } from '../../process/io.ts';
import { promptFor, templateOf } from '../../recipes/work/start/prompt-for.ts';
import type { Nothing } from '../graph/select-task.ts';
import { type ChosenTask, claimNext, claimTask, nextTask, previewTask } from '../tasks/claim-task.ts';
import { currentTask } from '../tasks/list-tasks.ts';
import type { Tasks } from '../tasks/open-tasks.ts';
import { holderHere } from '../tasks/own-task.ts';
import { chosenJson, type FilterFlags, filterOf, printClaim, printNoTask, printResult, type TaskFlags, withTasks } from './task-flags.ts';

interface PromptFlags extends TaskFlags, FilterFlags {
  readonly claim?: boolean;
  readonly accept?: boolean;
  readonly current?: boolean;
  readonly template?: string;
  readonly printTemplate?: boolean;
}

export async function promptCommand(id: string | null, flags: PromptFlags): Promise<number> {
  const template = await templateOf(flags.template ?? null, currentDirectory());
  if (flags.printTemplate) return printText(template, { template }, flags);
  return await withTasks(flags, async (tasks) => {
    const chosen = await chosenBy(tasks, id, flags);
    if (chosen === null) return tellNoneClaimed(tasks, flags);
    if (chosen.kind === 'nothing') return printNoTask(chosen, flags);
    const prompt = promptFor(chosen, template, tasks.place);
    return printText(prompt, { ...chosenJson(chosen), prompt }, flags);
  });
}

/** Null: the claimed task was asked for, and there is none. */
async function chosenBy(tasks: Tasks, id: string | null, flags: PromptFlags): Promise<ChosenTask | Nothing | null> {
  refuseTwoChoices(id, flags);
  if (flags.current) return await currentTask(tasks);
  const isClaimed = flags.claim ?? flags.accept ?? false;
  if (id !== null) return isClaimed ? told(await claimTask(tasks, id)) : await previewed(tasks, id);
  const chosen = await (isClaimed ? claimNext : nextTask)(tasks, filterOf(flags));
  if (chosen.kind === 'nothing') return chosen;
  return isClaimed ? told(chosen) : await noted(tasks, chosen);
}

function told(chosen: ChosenTask): ChosenTask {
  printClaim(chosen);
  return chosen;
}

/** A named task is used even if another one would be next; the reason why it could not be claimed is printed too. */
async function previewed(tasks: Tasks, id: string): Promise<ChosenTask> {
  const { chosen, why } = await previewTask(tasks, id);
  if (why !== null) io().stderr.write(`note: ${why.message}\n`);
  return await noted(tasks, chosen);
}

async function noted({ audit, place }: Tasks, chosen: ChosenTask): Promise<ChosenTask> {
  const { id, status } = chosen.task;
  await audit({ event: 'preview', task_id: id, old_status: status, new_status: status, trigger: holderHere(place).holder.name });
  return chosen;
}

function tellNoneClaimed({ place }: Tasks, flags: TaskFlags): 1 {
  const holder = holderHere(place).holder.name;
  printResult(flags, { task: null, holder }, [`No task is claimed by ${holder}.`]);
  return 1;
}

function printText(text: string, object: object, { json }: TaskFlags): 0 {
  io().stdout.write(json ? `${JSON.stringify(object)}\n` : text);
  return 0;
}

function refuseTwoChoices(id: string | null, { current, story, milestone, tag }: PromptFlags): void {
  const filter = story ?? milestone ?? tag;
  const choices = [id !== null && 'the id of a task', current && '--current', filter !== undefined && '--story, --milestone or --tag'].filter(Boolean);
  if (choices.length <= 1) return;
  throw new OperatorError('usage', `${choices.join(' and ')} cannot be combined`, { hint: 'Leave one of them out.', exitCode: 2 });
}
