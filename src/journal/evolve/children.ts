import type { Effect } from '../effects/effect.ts';
import type { EventBody } from '../events/journal-event.ts';
import type { RunState } from '../state/state.ts';
import type { ChildRuns } from '../state/supervised-task.ts';

type Said<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

/** More than any run starts; but no list is without an end. */
const REMEMBERED = 10_000;

function withChildren(state: RunState, change: Partial<ChildRuns>): RunState {
  return { ...state, children: { ...state.children, ...change } };
}

export function afterChildAsked(state: RunState, { child }: Said<'child.asked'>): RunState {
  return withChildren(state, { asked: [...state.children.asked, child] });
}

/** It counts as at work from here on, whatever a watcher that looked a moment earlier says. */
export function afterChildStarted(state: RunState, { run }: Said<'child.started'>, effect: Effect | undefined): RunState {
  const { active, elsewhere, started } = state.children;
  const grown = isAwaited(state, effect) ? { active: [...active.filter((id) => id !== run), run] } : { elsewhere: [...elsewhere, run].slice(-REMEMBERED) };
  return withChildren(answered(state, run), { ...grown, started: [...started, run].slice(-REMEMBERED) });
}

/** Whether it works where its end is waited for. */
function isAwaited({ run: us }: RunState, effect: Effect | undefined): boolean {
  const spec = us?.settings.supervise;
  const task = effect?.kind === 'start-child' ? effect.child.task : null;
  return task === null || task === spec?.task || spec?.waitScope === 'project' || us?.settings.recipe === 'job';
}

export function afterChildRefused(state: RunState, { run, why }: Said<'child.refused'>): RunState {
  return withChildren(answered(state, run), { refused: [...state.children.refused, { run, why }].slice(-REMEMBERED) });
}

function answered(state: RunState, run: string): RunState {
  return withChildren(state, { asked: state.children.asked.filter((child) => child.run !== run) });
}

export function afterChildrenSeen(state: RunState, active: readonly string[]): RunState {
  return withChildren(state, { active });
}

export function afterChildrenAwaited(state: RunState, atMs: number): RunState {
  return withChildren(state, { awaitedSinceMs: atMs });
}

export function afterChildrenOutlived(state: RunState, { active }: Said<'children.outlived'>): RunState {
  return withChildren(state, { outlived: active });
}

export function afterChildrenEnded(state: RunState, { ended, left }: Said<'children.ended'>, effect: Effect | undefined): RunState {
  const { active, elsewhere, tried } = state.children;
  const asked = effect?.kind === 'end-children' ? effect.runs : [...ended, ...left];
  const isLeft = (run: string) => !ended.includes(run);
  return withChildren(state, { active: active.filter(isLeft), elsewhere: elsewhere.filter(isLeft), tried: [...tried, ...asked] });
}

/** What the next look does not see, because it came while it looked, is not forgotten. */
export function whenLookBegins(state: RunState): RunState {
  return withChildren(state, { startedBeforeLook: state.children.started.length });
}

/** What a look has seen, and what was started meanwhile. */
export function withSeenChildren(state: RunState, seen: readonly string[], isDone: boolean): RunState {
  const { started, startedBeforeLook, elsewhere } = state.children;
  const meanwhile = started.slice(startedBeforeLook).filter((run) => !seen.includes(run) && !elsewhere.includes(run));
  // Without a DONE nobody waits for them, and what was tried for an earlier one is over.
  const waiting = isDone ? {} : { awaitedSinceMs: null, outlived: [], tried: [] };
  return withChildren(state, { active: [...seen, ...meanwhile], ...waiting });
}
