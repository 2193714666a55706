import * as z from 'zod';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { Holder } from '../../journal/words/task-register.ts';
import type { PlanPlace } from './find-plan-place.ts';
import { workerName } from './worker-name.ts';

/** For whom a task is claimed here, and the effect of a loop that wants it; the key is empty for people and scripts. */
export interface HolderHere {
  readonly holder: Holder;
  readonly key: string;
}

const GivenHolder = Holder.extend({ key: z.string() });

/** The lane that a loop named for its prompt command, else whoever RALPH_WORKER says, else this worktree of this host. */
export function holderHere({ env, top }: Pick<PlanPlace, 'env' | 'top'>): HolderHere {
  const given = env['RALPH_HOLDER'];
  if (given) return holderOf(given);
  return { holder: { name: workerName({ env, top }), run: null, lane: null, process: null }, key: '' };
}

function holderOf(text: string): HolderHere {
  const { key, ...holder } = readHolder(text);
  return { holder, key };
}

/** To claim for somebody else instead would leave the loop without its task. */
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
