import type { ChosenTask } from '../tasks/claim-task.ts';
import type { ListedTask } from '../tasks/list-tasks.ts';

/** A task that comes next, as scripts get it. */
export function chosenJson({ task, feedback, claim }: ChosenTask): object {
  return { task, feedback, claimed: claim !== null, n: claim?.n ?? null, holder: claim?.holder ?? null };
}

/** A task and how it stands; what the register says, if there is one that can be read. */
export function listedJson({ task, state, hold }: ListedTask): object {
  const { holder = null, at = null, branch = null, tries = 0, feedback = '' } = hold?.register ?? {};
  return { ...task, state, n: hold?.n ?? null, holder, liveness: hold?.liveness ?? null, since: at, branch, tries, feedback };
}
