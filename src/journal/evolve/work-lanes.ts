import type { AttemptEnded } from '../events/attempt.ts';
import type { ClosedIteration, OpenIteration, RunState } from '../state/state.ts';
import type { TaskCounts, TaskInHand } from '../state/work-state.ts';
import { withIteration } from './with-iteration.ts';

/** What an agent has run on is not what was settled. */
export function afterWorkAttempt(state: RunState, { iteration: number, role, verdict }: AttemptEnded): RunState {
  return withIteration(state, number, (iteration) => {
    const { hand } = iteration;
    if (hand === null) return iteration;
    const isTried = role === 'resolve' && verdict !== 'limited';
    return { ...iteration, hand: { ...hand, settled: null, merge: null, brought: isTried ? null : hand.brought, resolves: hand.resolves + (isTried ? 1 : 0) } };
  });
}

/** Counts what became of the task, and lets its lane rest. */
export function afterTaskClosed(state: RunState, iteration: OpenIteration | undefined, closed: ClosedIteration | undefined): RunState {
  const hand = iteration?.hand;
  if (!hand || !closed) return state;
  const { tasks } = state;
  const kind = fateOf(hand, closed);
  const counts = kind === null ? tasks.counts : { ...tasks.counts, [kind]: tasks.counts[kind] + 1 };
  const isUnproven = kind === 'done' && hand.task.verify.length + hand.task.outputs.length + (state.run?.settings.gates.length ?? 0) === 0;
  const idleSinceMs = { ...tasks.idleSinceMs, [iteration.lane]: closed.atMs };
  return { ...state, tasks: { ...tasks, counts, idleSinceMs, nothing: null, unproven: tasks.unproven || isUnproven } };
}

/** Null: we left it ourselves, and nothing is held against it. */
function fateOf({ released, isClaimed }: TaskInHand, { result }: ClosedIteration): keyof TaskCounts | null {
  if (released === 'done') return 'done';
  if (result === 'abandoned') return null;
  if (released === 'conflict') return 'conflicts';
  if (isClaimed) return 'unproven';
  return result === 'failed' ? 'failed' : 'unfinished';
}

/** Its process is gone: what was in its hands goes back, with what was done of it. Only what is merged is finished. */
export function afterWorkResumed(state: RunState): RunState {
  const open = state.open.map((iteration) =>
    iteration.hand === null ? iteration : { ...iteration, hand: { ...iteration.hand, givenUp: iteration.hand.givenUp ?? 'its loop has died' } },
  );
  return { ...state, open, paused: false, tasks: { ...state.tasks, taken: null, nothing: null, trouble: null } };
}
