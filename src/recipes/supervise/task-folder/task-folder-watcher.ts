import type { Watcher } from '../../../engine/contracts.ts';
import type { Supervision } from '../../../engine/ports/ports.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import type { RunState } from '../../../journal/state/state.ts';
import { longestTimerMs } from '../../../process/alarm.ts';

interface TaskWatch {
  readonly supervision: Pick<Supervision, 'task' | 'children'>;
  readonly pollMs: number;
  /** Whether the task depends on others. */
  readonly waits: boolean;
}

/** Looks at one thing. Null: nothing new. */
type Look = () => Promise<EventBody | null>;

/**
 * Looks at the task of a root agent regularly, and reports what the run does not know yet: DONE, children,
 * or dependencies that appeared or disappeared. After a failed look, the next one catches up.
 */
export function watchTask({ supervision, pollMs, waits }: TaskWatch): Watcher {
  return (tell, state) => {
    const { task, children } = supervision;
    let closed = false;
    const telling = (look: Look) =>
      oneAtATime(async () => {
        const news = await look();
        if (news !== null && !closed) await tell(news);
      });
    const looks = [telling(() => doneNews(task, state)), telling(() => childrenNews(children, state))];
    if (waits) looks.push(telling(() => dependencyNews(task, state)));
    const timer = setInterval(
      () => {
        for (const look of looks) look();
      },
      Math.min(pollMs, longestTimerMs),
    );
    return {
      // Does not wait for a look in progress: nobody needs its result any more.
      async [Symbol.asyncDispose]() {
        closed = true;
        clearInterval(timer);
      },
    };
  };
}

/** Each kind of look waits only for itself: a slow one does not delay the others. */
function oneAtATime(look: () => Promise<void>): () => void {
  let isRunning = false;
  const over = () => {
    isRunning = false;
  };
  return () => {
    if (isRunning) return;
    isRunning = true;
    look().then(over, over);
  };
}

/** Also while no agent is running, because the run may wait for something else: a person may write DONE. */
async function doneNews(task: Supervision['task'], state: () => RunState): Promise<EventBody | null> {
  const life = agentAtWork(state());
  const done = await task.done();
  const isKnown = state().task.doneSinceMs !== null;
  // The DONE of one start says nothing about the next.
  return agentAtWork(state()) !== life || (done.kind !== 'absent') === isKnown ? null : { type: 'done.seen', done };
}

function agentAtWork({ inFlight }: RunState): string | undefined {
  return inFlight.find(({ kind }) => kind === 'run-agent')?.key;
}

async function childrenNews(children: Supervision['children'], state: () => RunState): Promise<EventBody | null> {
  const known = state().children;
  const active = [...(await children.active())];
  // A child that was started during the look may be missing in it.
  return state().children !== known || isSameSet(active, known.active) ? null : { type: 'children.seen', active };
}

/** Once the agent was started, dependencies no longer matter. */
async function dependencyNews(task: Supervision['task'], state: () => RunState): Promise<EventBody | null> {
  if (state().opened > 0) return null;
  const blocked_by = [...(await task.blockedBy())];
  const { opened, task: known } = state();
  const words = (blockers: typeof known.blockedBy) => blockers.map(({ task: name, why }) => `${name} ${why}`);
  return opened > 0 || isSameSet(words(blocked_by), words(known.blockedBy)) ? null : { type: 'dependencies.seen', blocked_by };
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
