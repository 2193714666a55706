import type { PlanTask } from '../../journal/words/plan.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import type { Hold } from '../graph/standing.ts';
import { standingIn, type TasksSnapshot } from './read-tasks.ts';

/** Why nobody can begin that task; null: it is ready. */
export function whyNotClaimed(task: PlanTask, snapshot: TasksSnapshot): OperatorError | null {
  const { id } = task;
  const standing = standingIn(snapshot, id);
  switch (standing) {
    case 'ready':
      return null;
    case 'held':
      return alreadyClaimed(id, snapshot.holds.get(id));
    case 'complete':
      return refusal(`Task ${id} is already complete`, `If it has to be done again: ralph task reset ${id} --force`);
    case 'failed':
      return refusal(`Task ${id} has failed and is left for a person`, `See what came of it with ralph task show ${id}; ralph task reset ${id} frees it.`);
    case 'conflict':
      return refusal(`The work on task ${id} cannot be merged`, `See what came of it with ralph task show ${id}; ralph task reset ${id} frees it.`);
    case 'parked':
      return refusal(`The claim of task ${id} is held for a person`, `Let it pass with: ralph accept. To have it done again: ralph task reset ${id}`);
    case 'blocked':
      return refusal(`Task ${id} is blocked by the plan`, `ralph task reset ${id} makes it ready.`);
    case 'waiting':
      return refusal(`Task ${id} waits for ${unmetNeeds(task, snapshot).join(', ')}`, 'ralph task next shows what can be done now.');
  }
}

/** The incomplete needs of a task, with their states. */
export function unmetNeeds({ needs }: PlanTask, snapshot: TasksSnapshot): readonly string[] {
  return needs.filter((need) => standingIn(snapshot, need) !== 'complete').map((need) => `${need} (${standingIn(snapshot, need)})`);
}

/** A task that is in progress only by the file is held by somebody outside. */
export function alreadyClaimed(id: string, hold: Hold | undefined): OperatorError {
  const hint = `If nobody works on it any more: ralph task reset ${id}`;
  if (hold === undefined) return refusal(`Task is already claimed by somebody else: the plan has ${id} in progress`, hint);
  if (hold.register === null) return refusal(`The register of task ${id} cannot be read, so nobody knows who has it`, hint);
  const { holder, at } = hold.register;
  return refusal(`Task is already claimed by ${printable(holder?.name ?? 'somebody')} at ${timeText(at)}`, hint);
}

/** A register may contain any number. */
export function timeText(atMs: number): string {
  const at = new Date(atMs);
  return Number.isNaN(at.getTime()) ? 'an unknown time' : at.toISOString();
}

function refusal(message: string, hint: string): OperatorError {
  return new OperatorError('task-not-claimed', message, { hint, exitCode: 2 });
}
