import { surroundings } from '../../process/surroundings.ts';
import { printable } from '../../kit/pure/printable.ts';
import { completeTask } from '../tasks/complete-task.ts';
import { resetPlanTask } from '../tasks/reset-plan-task.ts';
import { durationOf } from '../../cli/shared/flag-values.ts';
import { completionJson, completionLines, verifiedLine } from './completion-lines.ts';
import { fromHere, type TaskFlags, tell, withTasks } from './task-flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';

const VERIFY_TIMEOUT_MS = 10 * 60_000;

interface CompleteFlags extends TaskFlags {
  readonly force?: boolean;
  readonly verifyTimeout?: string;
}

export async function completeCommand(id: string, { force = false, verifyTimeout, ...flags }: CompleteFlags): Promise<number> {
  const wish = {
    id,
    force,
    timeoutMs: durationOf('--verify-timeout', verifyTimeout) ?? VERIFY_TIMEOUT_MS,
    onBegin: (command: string) => warn(`  → ${printable(command)}`),
    onEnd: (verified: Parameters<typeof verifiedLine>[0]) => warn(verifiedLine(verified)),
  };
  using signalled = untilSignalled();
  try {
    const completion = await fromHere(flags, (open, standpoint) => completeTask(open, standpoint, wish, signalled.signal));
    if (completion.kind === 'completed') for (const warning of completion.warnings) warn(`warning: ${printable(warning)}`);
    tell(flags, completionJson(id, completion, force), completionLines(id, completion));
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
  tell(flags, { task: id, was, holder, state: 'ready' }, [`✓ ${printable(id)} reset to ready (was: ${was})`]);
  return 0;
}

function warn(line: string): void {
  surroundings().stderr.write(`${line}\n`);
}
