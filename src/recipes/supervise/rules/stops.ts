import type { StopRule, View } from '../../../engine/decide/recipe.ts';
import { type AskedQuestion, openQuestions } from '../../../journal/state/questions.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { formatDuration, plural } from '../../../kit/pure/amounts.ts';
import { countedStarts, isProvenDone, lastStartSinceResume, type SuperviseSettings } from '../supervised-task.ts';

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

/** The agent waits for something outside, or has ended with a question. A restart would only disturb it. DONE wins over waiting. */
export const stopWhenTheAgentWaits: StopRule<SuperviseSettings> = (view) => {
  const { lastLook, wait } = view.state.task;
  const why = wait?.reason ?? lastQuestion(view);
  if (why === null || lastLook?.done.kind !== 'absent') return null;
  return { kind: 'stop', outcome: notDone('waiting', `waiting without restart: ${why}`, view.settings.supervise.failOnBlocked ? 3 : 0) };
};

/** The question with which the last life ended. Whoever resumes the run wants another life, with an answer or without one. */
function lastQuestion(view: View): string | null {
  const isMeant = ({ iteration, by }: AskedQuestion) => iteration === view.state.opened && by === undefined;
  return (lastStartSinceResume(view) && openQuestions(view.state).findLast(isMeant)?.text) || null;
}

/** The last agent may have left a DONE that its money has paid for. */
export function onceDoneIsLookedFor(rule: StopRule): StopRule {
  return (view) => (view.state.task.lastLook?.done.kind === 'absent' ? rule(view) : null);
}

/** Only if the operator wants it: otherwise a failed task may still be fixed and restarted, so Ralph waits for it. */
export const stopWhenADependencyFailed: StopRule<SuperviseSettings> = (view) => {
  const { opened, task } = view.state;
  const failed = task.blockedBy.filter(({ why }) => why === 'failed').map(({ task: name }) => name);
  if (!view.settings.supervise.failOnBlocked || opened > 0 || failed.length === 0) return null;
  return { kind: 'stop', outcome: notDone('blocked', `task blocked by failed dependencies: ${failed.join(', ')}`, 3) };
};

/** More failures than allowed within the allowed time: restarting only costs money. The last agent may still have left a DONE. */
export const stopWhenFailuresComeTooFast: StopRule<SuperviseSettings> = (view) => {
  const { intensity } = view.settings.supervise;
  const { failedAtMs, lastLook } = view.state.task;
  const [first = 0, last = 0] = [failedAtMs.at(0), failedAtMs.at(-1)];
  if (lastLook?.done.kind !== 'absent') return null;
  if (intensity === null || failedAtMs.length <= intensity.failures || last - first > intensity.withinMs) return null;
  const message = `giving up: ${plural(failedAtMs.length, 'failure')} within ${formatDuration(last - first)}, at most ${intensity.failures} within ${formatDuration(intensity.withinMs)} are allowed`;
  return { kind: 'stop', outcome: notDone('stuck', message) };
};

/** The agent was started as often as allowed. Checked only after the look before the next start has shown no DONE (the seed's order). */
export const stopWhenRestartsAreSpent: StopRule<SuperviseSettings> = (view) => {
  const { maxRestarts } = view.settings.supervise;
  const { lastLook } = view.state.task;
  const hasLooked = lastLook?.before === view.state.opened + 1 && lastLook.done.kind === 'absent';
  if (!hasLooked || countedStarts(view) < maxRestarts) return null;
  return { kind: 'stop', outcome: notDone('max_restarts', `max restarts (${maxRestarts}) exceeded`) };
};
