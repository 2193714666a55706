import type { EndRule, ErrandRule, StartRule, StepRule, Stop, View } from '../../../engine/decide/recipe.ts';
import { completionFact } from '../completion-fact.ts';
import { awaiting, ending, letsChildrenFinish, specOf } from '../supervising.ts';

/** A rule for the time between two lives, asked once more at the end of a run that may be done all the same. */
export function onTheWayOut(rule: StartRule): EndRule {
  return (stop, view) => (mayStillBeDone(stop, view) ? rule(0, view) : null);
}

/** Who only drains, gives up on a usage limit, or has an agent that nothing can help any more, still takes a DONE that was written in time. */
function mayStillBeDone({ outcome }: Stop, { state }: View): boolean {
  return state.leaving?.what === 'drain' || outcome.stop_reason === 'rate_limited' || outcome.stop_reason === 'fatal';
}

/** All is done but for the children: they may finish. */
export const awaitTheChildren: EndRule = ({ outcome }, view) => (letsChildrenFinish(outcome) ? awaiting(view) : null);

/** Checks look at what is left in the end: not while a child may still change it. Who leaves does not wait. */
export const awaitTheChildrenOfADone: StartRule = (_lane, view) => {
  const { task, leaving } = view.state;
  return task.sight?.done.kind === 'file' && task.judged === null && view.settings.gates.length > 0 && !leaving ? awaiting(view) : null;
};

/** The same for the checks of a job. */
export const awaitTheChildrenOfAJob: StepRule = (iteration, view) =>
  iteration.last !== null && iteration.judged === null && view.settings.gates.length > 0 && !view.state.leaving ? awaiting(view) : null;

/** Nothing outlives its scope: with a run that ends badly all its children are ended, and where the operator says so those that were waited for in vain. */
export const endTheChildren: EndRule = ({ outcome }, view) => {
  const { active, elsewhere } = view.state.children;
  if (!letsChildrenFinish(outcome)) return ending(view, [...active, ...elsewhere]);
  return specOf(view).killChildren ? ending(view, active) : null;
};

/** Where the operator says so, those that were waited for in vain are ended before the checks look. */
export const endTheChildrenOfADone: StartRule = (_lane, view) => {
  const { active, outlived } = view.state.children;
  return view.state.task.sight?.done.kind === 'file' && outlived.length > 0 && specOf(view).killChildren ? ending(view, active) : null;
};

/** The project hears of it once, however often we die on the way. */
export const postTheCompletion: EndRule = (stop, { state }) => {
  if (stop.outcome.stop_reason !== 'completed' || state.task.completionPosted) return null;
  const message = completionFact(state, stop.outcome);
  return { kind: 'do', effect: { kind: 'post', key: 'post:completion', iteration: 0, attempt: 0, bus: 'project', message } };
};

/** An agent that has said DONE and stays on is ended when its grace is over; what it said still counts. */
export const endTheAgentAfterDone: ErrandRule = (view) => {
  const { inFlight, task } = view.state;
  const { doneGraceMs } = specOf(view);
  const agent = inFlight.find((effect) => effect.kind === 'run-agent');
  if (!agent || task.doneSinceMs === null || doneGraceMs === 0) return null;
  const untilMs = task.doneSinceMs + doneGraceMs;
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : { kind: 'cancel', key: agent.key, cause: 'DONE is there, and the agent stayed on' };
};

/** Each as soon as it is asked for, beside all else. Who leaves, or ends its children, starts none. */
export const startAChildAskedFor: ErrandRule = ({ state }) => {
  const { inFlight, children, leaving } = state;
  const begun = new Set(inFlight.map((effect) => effect.key));
  const child = children.asked.find(({ run }) => !begun.has(`child:${run}`));
  if (!child) return null;
  const key = `child:${child.run}`;
  const isOver = leaving !== null || children.tried.length > 0 || inFlight.some((effect) => effect.kind === 'end-children');
  if (isOver) return { kind: 'say', event: { type: 'child.refused', key, run: child.run, why: 'the run is being stopped' } };
  return { kind: 'do', effect: { kind: 'start-child', key, iteration: 0, attempt: 0, child } };
};
