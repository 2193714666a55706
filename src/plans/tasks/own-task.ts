import { OperatorError } from '../../kit/pure/operator-error.ts';

/** The task that a loop gave to the agent which asks, and the number it is held by: nobody else knows both. */
export interface OwnTask {
  readonly task: string;
  readonly n: number;
}

/** Null for everybody but the agents of `ralph work`. */
export function ownTask(env: Readonly<Record<string, string>>): OwnTask | null {
  const [task, fence] = [env['RALPH_TASK_ID'], env['RALPH_TASK_FENCE']];
  if (!task || !fence) return null;
  if (/^[1-9]\d{0,14}$/.test(fence)) return { task, n: Number(fence) };
  throw new OperatorError('task-refused', `RALPH_TASK_FENCE is no number: "${fence}"`, {
    hint: 'It is set by ralph work and must be left as it is.',
    exitCode: 2,
  });
}

/** Tasks are given out by the loop: one that an agent took would be nobody's once the agent has ended. */
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
