import type { Nothing } from '../graph/select-task.ts';
import { surroundings } from '../../process/surroundings.ts';
import { type TaskFlags, tell } from './task-flags.ts';

const NOTHING = 'No tasks available. All tasks are either complete, in-progress, or blocked.';

/** The line for people is the seed's; why there is nothing is told to programs, on a line of its own, in words that never change. */
export function tellNothing({ kind: _, ...nothing }: Nothing, flags: TaskFlags): 1 {
  tell(flags, { task: null, ...nothing }, [NOTHING]);
  surroundings().stderr.write(`${JSON.stringify(nothing)}\n`);
  return 1;
}
