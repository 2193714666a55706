import { hostname } from 'node:os';
import { basename } from 'node:path';
import { Holder } from '../../journal/words/task-register.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import * as z from '../../kit/pure/shape.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { PlanPlace } from './open-tasks.ts';

/** The task that a loop gave to the calling agent, and its fencing number: nobody else knows both. */
export interface OwnTask {
  readonly task: string;
  readonly n: number;
}

/** Null for everybody but the agents of `ralph work`. */
export function ownTask(env: Readonly<Record<string, string>>): OwnTask | null {
  const [task, fence] = [env['RALPH_TASK_ID'], env['RALPH_TASK_FENCE']];
  if (!task || !fence) return null;
  if (/^[1-9]\d{0,14}$/.test(fence)) return { task, n: Number(fence) };
  throw new OperatorError('task-refused', `RALPH_TASK_FENCE is not a number: "${fence}"`, {
    hint: 'ralph work sets it; leave it unchanged.',
    exitCode: 2,
  });
}

/** Only the loop gives out tasks: a task that an agent took would belong to nobody once the agent has ended. */
export function refuseAgents(env: Readonly<Record<string, string>>, what: 'claim' | 'reset'): void {
  const own = ownTask(env);
  if (own === null) return;
  throw new OperatorError('task-refused', `you work on ${own.task} and may ${what} no task: the loop gives them out`, {
    hint: `Complete ${own.task}, or end and say what is in the way.`,
    exitCode: 2,
  });
}

export function refuseForeignTask(own: OwnTask, id: string): void {
  if (own.task === id) return;
  throw new OperatorError('task-refused', `${id} is not your task: you were given ${own.task}`, {
    hint: 'Complete your own, and leave the others to those who have them.',
    exitCode: 2,
  });
}

/** The name in RALPH_WORKER, else this folder of this host. */
export function workerName({ env, top }: { readonly env: Readonly<Record<string, string>>; readonly top: string }): string {
  return oneLine(env['RALPH_WORKER'] ?? '') || `${hostname()}:${basename(top)}`;
}

/** For whom a task is claimed here, and the effect of a loop that asks for it; the key is empty for people and scripts. */
export interface HolderHere {
  readonly holder: Holder;
  readonly key: string;
}

const GivenHolder = Holder.extend({ key: z.string() });

/** The worker that a loop named for its prompt command, else the name in RALPH_WORKER, else this worktree of this host. */
export function holderHere({ env, top }: Pick<PlanPlace, 'env' | 'top'>): HolderHere {
  const given = env['RALPH_HOLDER'];
  if (given) return holderOf(given);
  return { holder: { name: workerName({ env, top }), run: null, lane: null, process: null }, key: '' };
}

function holderOf(text: string): HolderHere {
  const { key, ...holder } = readHolder(text);
  return { holder, key };
}

/** Throws rather than claim for somebody else, which would leave the loop without its task. */
function readHolder(text: string): z.infer<typeof GivenHolder> {
  try {
    return GivenHolder.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError('holder-unreadable', 'RALPH_HOLDER is set and names no holder', {
      hint: 'It is set by ralph work for its prompt command; unset it, and say who you are with RALPH_WORKER.',
      exitCode: 2,
      cause,
    });
  }
}
