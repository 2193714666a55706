import type { Effect } from '../effects/effect.ts';
import type { EventBody } from '../events/journal-event.ts';
import type { RunState } from '../state/state.ts';
import type { ChildRuns } from '../state/supervised-task.ts';

type EventOf<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

/** More than any run starts, but every list in the state is bounded. */
const MOST_REMEMBERED = 10_000;

function withChildren(state: RunState, change: Partial<ChildRuns>): RunState {
  return { ...state, children: { ...state.children, ...change } };
}

export function afterChildAsked(state: RunState, { child }: EventOf<'child.asked'>): RunState {
  return withChildren(state, { asked: [...state.children.asked, child] });
}

/** It counts as active from now on, even if a watcher that looked a moment earlier did not see it. */
export function afterChildStarted(state: RunState, { run }: EventOf<'child.started'>, effect: Effect | undefined): RunState {
  const { active, elsewhere, started } = state.children;
  const grown = isAwaited(state, effect) ? { active: [...active.filter((id) => id !== run), run] } : { elsewhere: [...elsewhere, run].slice(-MOST_REMEMBERED) };
  return withChildren(withoutRequest(state, run), { ...grown, started: [...started, run].slice(-MOST_REMEMBERED) });
}

/** Whether the run waits for this child to end. */
function isAwaited({ run }: RunState, effect: Effect | undefined): boolean {
  const spec = run?.settings.supervise;
  const task = effect?.kind === 'start-child' ? effect.child.task : null;
  return task === null || task === spec?.task || spec?.waitScope === 'project' || run?.settings.recipe === 'job';
}

export function afterChildRefused(state: RunState, { run, why }: EventOf<'child.refused'>): RunState {
  return withChildren(withoutRequest(state, run), { refused: [...state.children.refused, { run, why }].slice(-MOST_REMEMBERED) });
}

function withoutRequest(state: RunState, run: string): RunState {
  return withChildren(state, { asked: state.children.asked.filter((child) => child.run !== run) });
}

export function afterChildrenSeen(state: RunState, active: readonly string[]): RunState {
  return withChildren(state, { active });
}

export function afterChildrenAwaited(state: RunState, atMs: number): RunState {
  return withChildren(state, { awaitedSinceMs: atMs });
}

export function afterChildrenOutlived(state: RunState, { active }: EventOf<'children.outlived'>): RunState {
  return withChildren(state, { outlived: active });
}

export function afterChildrenEnded(state: RunState, { ended, left }: EventOf<'children.ended'>, effect: Effect | undefined): RunState {
  const { active, elsewhere, tried } = state.children;
  const asked = effect?.kind === 'end-children' ? effect.runs : [...ended, ...left];
  const isLeft = (run: string) => !ended.includes(run);
  return withChildren(state, { active: active.filter(isLeft), elsewhere: elsewhere.filter(isLeft), tried: [...tried, ...asked] });
}

/** Remembers how many children were started, because this look will miss those that start while it runs. */
export function afterLookBegun(state: RunState): RunState {
  return withChildren(state, { startedBeforeLook: state.children.started.length });
}

/** The children that the look has seen, and those started meanwhile. */
export function withSeenChildren(state: RunState, seen: readonly string[], isDone: boolean): RunState {
  const { started, startedBeforeLook, elsewhere } = state.children;
  const meanwhile = started.slice(startedBeforeLook).filter((run) => !seen.includes(run) && !elsewhere.includes(run));
  // Without a DONE the run does not wait for children, and earlier tries to end them no longer count.
  const waiting = isDone ? {} : { awaitedSinceMs: null, outlived: [], tried: [] };
  return withChildren(state, { active: [...seen, ...meanwhile], ...waiting });
}
