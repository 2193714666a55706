import type { EndRule, ErrandRule, StartRule, StepRule, Stop } from '../../../engine/decide/recipe.ts';
import { openQuestions } from '../../../journal/state/questions.ts';
import { completionFact } from '../completion-fact.ts';
import { childrenWait, endChildrenRequest, letsChildrenFinish, type SuperviseSettings, type SuperviseView } from '../supervised-task.ts';

/** Applies a rule for the time between two starts once more at the end of a run that may still be done. */
export function onceMoreAtTheEnd(rule: StartRule<SuperviseSettings>): EndRule<SuperviseSettings> {
  return (stop, view) => (mayStillBeDone(stop, view) ? rule(0, view) : null);
}

/** A run that drains, gives up on a usage limit, or has an agent that cannot be helped, still accepts a DONE that was written in time. */
function mayStillBeDone({ outcome }: Stop, { state }: SuperviseView): boolean {
  return state.leaving?.what === 'drain' || outcome.stop_reason === 'rate_limited' || outcome.stop_reason === 'fatal';
}

/** The task is done except for the children: they may finish. */
export const awaitTheChildren: EndRule<SuperviseSettings> = ({ outcome }, view) => (letsChildrenFinish(outcome) ? childrenWait(view) : null);

/** The checks judge the final state, so they wait for children that may still change it. A stopping run does not wait. */
export const awaitTheChildrenOfADone: StartRule<SuperviseSettings> = (_lane, view) => {
  const { task, leaving } = view.state;
  return task.lastLook?.done.kind === 'file' && task.judged === null && view.settings.gates.length > 0 && !leaving ? childrenWait(view) : null;
};

/** The same for the checks of a job. */
export const awaitTheChildrenOfAJob: StepRule<SuperviseSettings> = (iteration, view) =>
  iteration.last !== null && iteration.judged === null && view.settings.gates.length > 0 && !view.state.leaving ? childrenWait(view) : null;

/** A run that ends badly ends all its children. After a good end, children that outlived the wait are ended only if the operator wants it. */
export const endTheChildren: EndRule<SuperviseSettings> = ({ outcome }, view) => {
  const { active, elsewhere } = view.state.children;
  if (!letsChildrenFinish(outcome)) return endChildrenRequest(view, [...active, ...elsewhere]);
  return view.settings.supervise.killChildren ? endChildrenRequest(view, active) : null;
};

/** If the operator wants it, children that outlived the wait are ended before the checks run. */
export const endTheChildrenOfADone: StartRule<SuperviseSettings> = (_lane, view) => {
  const { active, outlived } = view.state.children;
  return view.state.task.lastLook?.done.kind === 'file' && outlived.length > 0 && view.settings.supervise.killChildren
    ? endChildrenRequest(view, active)
    : null;
};

/** Tells the project once, however often the loop dies on the way. */
export const postTheCompletion: EndRule<SuperviseSettings> = (stop, { state }) => {
  if (stop.outcome.stop_reason !== 'completed' || state.task.completionPosted) return null;
  const message = completionFact(state, stop.outcome);
  return { kind: 'do', effect: { kind: 'post', key: 'post:completion', iteration: 0, attempt: 0, bus: 'project', message } };
};

/** What a waiting agent waits for is a question too, for the next life to be told the answer. Runs of earlier versions wrote no questions down. */
export const askWhatTheAgentWaitsFor: EndRule = ({ outcome }, { state, settings }) => {
  const { wait } = state.task;
  const mayAsk = settings.claims.some(({ kind }) => kind === 'question');
  if (outcome.stop_reason !== 'waiting' || wait === null || !mayAsk || openQuestions(state).some(({ iteration }) => iteration === state.opened)) return null;
  const question = { kind: 'blocked', text: wait.reason } as const;
  return { kind: 'say', event: { type: 'question.asked', iteration: state.opened, story: null, question, by: 'wait_without_restart' } };
};

/** Ends an agent that keeps running after DONE when its grace period is over; its DONE still counts. */
export const endTheAgentAfterDone: ErrandRule<SuperviseSettings> = (view) => {
  const { inFlight, task } = view.state;
  const { doneGraceMs } = view.settings.supervise;
  const agent = inFlight.find((effect) => effect.kind === 'run-agent');
  if (!agent || task.doneSinceMs === null || doneGraceMs === 0) return null;
  const untilMs = task.doneSinceMs + doneGraceMs;
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : { kind: 'cancel', key: agent.key, cause: 'DONE is there, and the agent stayed on' };
};

/** Starts each child as soon as it is requested, beside everything else. A run that stops, or that ends its children, starts none. */
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
