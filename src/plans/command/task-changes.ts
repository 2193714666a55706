import { durationOf } from '../../cli/shared/flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { type ChosenTask, claimNext, claimTask, nextTask } from '../tasks/claim-task.ts';
import { resetPlanTask } from '../tasks/write-status.ts';
import {
  chosenJson,
  completionJson,
  completionLines,
  type FilterFlags,
  filterOf,
  printClaim,
  printNoTask,
  printResult,
  type TaskFlags,
  verifiedLine,
  withTaskOpener,
  withTasks,
} from './task-flags.ts';

const VERIFY_TIMEOUT_MS = 10 * 60_000;

interface CompleteFlags extends TaskFlags {
  readonly force?: boolean;
  readonly verifyTimeout?: string;
}

export async function completeCommand(id: string, { force = false, verifyTimeout, ...flags }: CompleteFlags): Promise<number> {
  const request = {
    id,
    force,
    timeoutMs: durationOf('--verify-timeout', verifyTimeout) ?? VERIFY_TIMEOUT_MS,
    onBegin: (command: string) => warn(`  → ${printable(command)}`),
    onEnd: (verified: Parameters<typeof verifiedLine>[0]) => warn(verifiedLine(verified)),
  };
  const { completeTask } = await import('../tasks/complete-task.ts');
  using signalled = untilSignalled();
  try {
    const completion = await withTaskOpener(flags, (open, standpoint) => completeTask(open, standpoint, request, signalled.signal));
    if (completion.kind === 'completed') for (const warning of completion.warnings) warn(`warning: ${printable(warning)}`);
    printResult(flags, completionJson(id, completion, force), completionLines(id, completion));
    if (completion.kind === 'completed') warn('note: the plan was written; commit it, so that others see it');
    return 0;
  } catch (error) {
    if (!signalled.signal.aborted) throw error;
    warn(`Interrupted; ${printable(id)} is as it was.`);
    return signalled.exitCode();
  }
}

interface ResetFlags extends TaskFlags {
  readonly force?: boolean;
}

export async function resetCommand(id: string, { force = false, ...flags }: ResetFlags): Promise<number> {
  const { was, holder } = await withTasks(flags, (tasks) => resetPlanTask(tasks, id, force));
  printResult(flags, { task: id, was, holder, state: 'ready' }, [`✓ ${printable(id)} reset to ready (was: ${was})`]);
  return 0;
}

function warn(line: string): void {
  io().stderr.write(`${line}\n`);
}

interface NextFlags extends TaskFlags, FilterFlags {
  readonly claim?: boolean;
}

export async function nextTaskCommand(flags: NextFlags): Promise<number> {
  const chosen = await withTasks(flags, (tasks) => (flags.claim ? claimNext : nextTask)(tasks, filterOf(flags)));
  return chosen.kind === 'nothing' ? printNoTask(chosen, flags) : tellChosen(chosen, flags);
}

export async function claimCommand(id: string, flags: TaskFlags): Promise<number> {
  return tellChosen(await withTasks(flags, (tasks) => claimTask(tasks, id)), flags);
}

function tellChosen(chosen: ChosenTask, flags: TaskFlags): 0 {
  if (chosen.claim !== null) printClaim(chosen);
  printResult(flags, chosenJson(chosen), [printable(`${chosen.task.id}  ${chosen.task.title}`)]);
  return 0;
}
