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

/** One thing to look at. Null: there is no news. */
type Look = () => Promise<EventBody | null>;

/**
 * Looks at the task of a root agent every so often, and tells what the run does not know yet: a DONE that came or went, children
 * that came or went, tasks that are no longer waited for. A look that fails is made up for by the next one.
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
      // A look that is under way is not waited for: nobody asks for its news any more.
      async [Symbol.asyncDispose]() {
        closed = true;
        clearInterval(timer);
      },
    };
  };
}

/** Each look waits for its own end only: one that takes long keeps no other from its news. */
function oneAtATime(look: () => Promise<void>): () => void {
  let isUnderWay = false;
  const over = () => {
    isUnderWay = false;
  };
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    look().then(over, over);
  };
}

/** While an agent is at work, and while the run waits for something else: a person may say that all is done. */
async function doneNews(task: Supervision['task'], state: () => RunState): Promise<EventBody | null> {
  const life = agentAtWork(state());
  const done = await task.done();
  const isKnown = state().task.doneSinceMs !== null;
  // The DONE of one life says nothing about the next.
  return agentAtWork(state()) !== life || (done.kind !== 'absent') === isKnown ? null : { type: 'done.seen', done };
}

function agentAtWork({ inFlight }: RunState): string | undefined {
  return inFlight.find(({ kind }) => kind === 'run-agent')?.key;
}

async function childrenNews(children: Supervision['children'], state: () => RunState): Promise<EventBody | null> {
  const known = state().children;
  const active = [...(await children.active())];
  // One that was started meanwhile may not have been seen.
  return state().children !== known || isSameSet(active, known.active) ? null : { type: 'children.seen', active };
}

/** Once the first life has begun, nobody waits for another task any more. */
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
