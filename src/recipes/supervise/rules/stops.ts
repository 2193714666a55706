import type { StopRule, View } from '../../../engine/decide/recipe.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { formatDuration } from '../../../kit/pure/duration.ts';
import { countedStarts, isProvenDone, specOf } from '../supervised-task.ts';

/** DONE exists and is proven. If the run is told to stop while children are still running, it has not waited for them. */
export const stopWhenTheTaskIsDone: StopRule = (view) => {
  const { state, settings } = view;
  const { active, tried } = state.children;
  if (!isProvenDone(view) || (state.leaving && (active.length > 0 || tried.length > 0))) return null;
  const claim = { by: 'done-file', text: 'DONE' } as const;
  const proof = { claim, unproven: settings.gates.length === 0, zero_work: false, signal: null, exit_code: 0 };
  return { kind: 'stop', outcome: { stop_reason: 'completed', message: wordsFor(view), ...proof } };
};

function wordsFor({ state: { children } }: View): string {
  if (children.outlived.length > 0) return `task completed, but ${children.outlived.length} of its children did not finish in time`;
  return children.awaitedSinceMs === null ? 'task completed (DONE marker present, no active children)' : 'task completed (all children finished)';
}

/** Something other than a file has the name DONE: only a person can fix that. */
export const stopWhenDoneIsNoFile: StopRule = ({ state }) => {
  const done = state.task.lastLook?.done;
  return done?.kind === 'problem' ? { kind: 'stop', outcome: notDone('fatal', done.why, 4) } : null;
};

/** The agent waits for something outside, and a restart would only disturb it. DONE wins over waiting. */
export const stopWhenTheAgentWaits: StopRule = (view) => {
  const { lastLook, wait } = view.state.task;
  if (wait === null || lastLook?.done.kind !== 'absent') return null;
  return { kind: 'stop', outcome: notDone('waiting', `waiting without restart: ${wait.reason}`, specOf(view).failOnBlocked ? 3 : 0) };
};

/** Only if the operator wants it: otherwise a failed task may still be fixed and restarted, so Ralph waits for it. */
export const stopWhenADependencyFailed: StopRule = (view) => {
  const { opened, task } = view.state;
  const failed = task.blockedBy.filter(({ why }) => why === 'failed').map(({ task: name }) => name);
  if (!specOf(view).failOnBlocked || opened > 0 || failed.length === 0) return null;
  return { kind: 'stop', outcome: notDone('blocked', `task blocked by failed dependencies: ${failed.join(', ')}`, 3) };
};

/** More failures than allowed within the allowed time: restarting only costs money. The last agent may still have left a DONE. */
export const stopWhenFailuresComeTooFast: StopRule = (view) => {
  const { intensity } = specOf(view);
  const { failedAtMs, lastLook } = view.state.task;
  const [first = 0, last = 0] = [failedAtMs.at(0), failedAtMs.at(-1)];
  if (lastLook?.done.kind !== 'absent') return null;
  if (intensity === null || failedAtMs.length <= intensity.failures || last - first > intensity.withinMs) return null;
  const message = `giving up: ${failedAtMs.length} failures within ${formatDuration(last - first)}, at most ${intensity.failures} within ${formatDuration(intensity.withinMs)} are allowed`;
  return { kind: 'stop', outcome: notDone('stuck', message) };
};

/** The agent was started as often as allowed. Checked only after the look before the next start has shown no DONE (the seed's order). */
export const stopWhenRestartsAreSpent: StopRule = (view) => {
  const { maxRestarts } = specOf(view);
  const { lastLook } = view.state.task;
  const hasLooked = lastLook?.before === view.state.opened + 1 && lastLook.done.kind === 'absent';
  if (!hasLooked || countedStarts(view) < maxRestarts) return null;
  return { kind: 'stop', outcome: notDone('max_restarts', `max restarts (${maxRestarts}) exceeded`) };
};
