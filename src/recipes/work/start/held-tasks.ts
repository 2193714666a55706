import { registerName } from '../../../plans/graph/register-name.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { TaskRegister } from '../../../journal/words/task-register.ts';
import type { CrewPorts } from '../../../engine/ports/ports.ts';
import type { Register } from '../../../engine/ports/registers.ts';
import type { Watcher } from '../../../engine/watcher.ts';

const POLL_MS = 2_000;

interface HeldTasksWatch {
  readonly crew: Pick<CrewPorts, 'registers'>;
  readonly planPath: string;
  readonly pollMs?: number;
}

/** A task in the hands of a lane, by its number. */
interface Hand {
  readonly task: string;
  readonly n: number;
}

/**
 * Looks every so often whether the tasks in hand are still ours, and tells once of each that is not: a person has reset it, or somebody took
 * us for dead. A look that fails is made up for by the next one.
 */
export function watchHeldTasks({ crew, planPath, pollMs = POLL_MS }: HeldTasksWatch): Watcher {
  return (tell, state) => {
    let closed = false;
    let isUnderWay = false;
    const look = async () => {
      for (const hand of handsIn(state())) {
        const why = whyLost(hand, await crew.registers.get(registerName(planPath, hand.task)));
        // One that we let go ourselves meanwhile is not lost.
        if (why === null || closed || !handsIn(state()).some((other) => isSame(other, hand))) continue;
        await tell({ type: 'task.lost', task: hand.task, n: hand.n, why });
      }
    };
    const over = () => {
      isUnderWay = false;
    };
    const timer = setInterval(() => {
      if (isUnderWay) return;
      isUnderWay = true;
      look().then(over, over);
    }, pollMs);
    return {
      async [Symbol.asyncDispose]() {
        closed = true;
        clearInterval(timer);
      },
    };
  };
}

/** What the run believes to hold, and is not just letting go. */
function handsIn({ open, inFlight }: RunState): readonly Hand[] {
  const leaving = new Set(inFlight.filter(({ kind }) => kind === 'release-task').map(({ iteration }) => iteration));
  return open.flatMap(({ hand, number }) => {
    if (hand === null || hand.released !== null || hand.givenUp !== null || leaving.has(number)) return [];
    return [{ task: hand.task.id, n: hand.n }];
  });
}

function isSame(one: Hand, other: Hand): boolean {
  return one.task === other.task && one.n === other.n;
}

/** Null: it is ours. The number alone tells; what else the register says is for people. */
function whyLost({ n }: Hand, found: Register | null): string | null {
  if (found?.n === n) return null;
  if (found === null || found.n < n) return 'its register is gone';
  const register = TaskRegister.safeParse(found.value).data;
  if (register === undefined) return 'its register was put anew, and cannot be read';
  if (register.state === 'held') return `${register.holder?.name ?? 'somebody'} has it now`;
  return register.state === 'free' ? 'it was reset' : `it was set to ${register.state}`;
}
