import type { Hold } from '../graph/standing.ts';
import { checkOutputs } from '../../proof/output-check.ts';
import { printable } from '../../kit/pure/printable.ts';
import type { PlanTask } from '../../journal/words/plan.ts';
import { holderHere } from './holder-here.ts';
import type { TasksSight } from './look-at-tasks.ts';
import type { Tasks } from './open-tasks.ts';
import { firstRed, type VerifyRequest } from './run-verify.ts';
import { uncommittedOutputs, unmergedWork } from './unfinished-in-git.ts';
import { timeText, unmetNeeds } from './why-not-claimed.ts';

/** A task that somebody wants to be complete, and the plan around it. */
export interface TaskAtHand {
  readonly tasks: Tasks;
  readonly task: PlanTask;
  readonly sight: TasksSight;
}

/** How the commands of a task are run, and who sees it. */
export type Verifying = Pick<VerifyRequest, 'timeoutMs' | 'onBegin' | 'onEnd'>;

export interface Objections {
  /** What speaks against it, in the order of what it costs to find out. */
  readonly why: readonly string[];
  /** What only looks odd. */
  readonly warnings: readonly string[];
}

export async function whyNotComplete({ tasks, task, sight }: TaskAtHand, verifying: Verifying, signal: AbortSignal): Promise<Objections> {
  const { place } = tasks;
  const others = whoElseHas(sight.holds.get(task.id), holderHere(place).holder.name);
  if (others !== null) return objection(`${task.id} ${others}`);
  const unmet = unmetNeeds(task, sight);
  if (unmet.length > 0) return objection(`${task.id} waits for ${unmet.join(', ')}`);
  const { missing, warnings } = await checkOutputs(place.top, task.outputs);
  const why = missing.length > 0 ? missing : await uncommittedOutputs(task.outputs, place);
  if (why.length > 0) return { why, warnings };
  const commands = [...new Set([...task.verify, ...sight.plan.verify])];
  const red = await firstRed({ ...verifying, commands, cwd: place.top, env: place.env }, signal);
  if (red === null) return { why: [], warnings: [...warnings, ...(await unmergedWork(place))] };
  return { why: [`${red.command} is red (${red.ending})${red.line === '' ? '' : `: ${red.line}`}`], warnings };
}

const objection = (why: string): Objections => ({ why: [why], warnings: [] });

/** Null: nobody else, or somebody who is gone. */
function whoElseHas(hold: Hold | undefined, us: string): string | null {
  if (hold === undefined || hold.liveness === 'dead') return null;
  if (hold.register === null) return 'has a register that cannot be read, so nobody knows who has it';
  const { state, holder, at } = hold.register;
  if (state !== 'held' || (holder?.process === null && holder.name === us)) return null;
  return `is held by ${printable(holder?.name ?? 'somebody')} since ${timeText(at)}: it is theirs to complete`;
}
