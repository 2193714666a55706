import { printable } from '../../kit/pure/printable.ts';
import { type ChosenTask, claimNext, claimTask, nextTask } from '../tasks/claim-task.ts';
import { tellNothing } from './nothing-to-do.ts';
import { type FilterFlags, filterOf, type TaskFlags, tell, withTasks } from './task-flags.ts';
import { chosenJson } from './task-json.ts';
import { tellClaim } from './tell-claim.ts';

interface NextFlags extends TaskFlags, FilterFlags {
  readonly claim?: boolean;
}

export async function nextTaskCommand(flags: NextFlags): Promise<number> {
  const chosen = await withTasks(flags, (tasks) => (flags.claim ? claimNext : nextTask)(tasks, filterOf(flags)));
  return chosen.kind === 'nothing' ? tellNothing(chosen, flags) : tellChosen(chosen, flags);
}

export async function claimCommand(id: string, flags: TaskFlags): Promise<number> {
  return tellChosen(await withTasks(flags, (tasks) => claimTask(tasks, id)), flags);
}

function tellChosen(chosen: ChosenTask, flags: TaskFlags): 0 {
  if (chosen.claim !== null) tellClaim(chosen);
  tell(flags, chosenJson(chosen), [printable(`${chosen.task.id}  ${chosen.task.title}`)]);
  return 0;
}
