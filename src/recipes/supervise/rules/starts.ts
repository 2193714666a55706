import type { StartRule } from '../../../engine/decide/recipe.ts';
import { restartPauseMs } from '../../../limits/retry.ts';
import { protectedBy } from '../../shared/judging.ts';
import { isDoneByCheating, lastLifeOfThisSitting, lookingAfter, lookingBefore, specOf } from '../supervising.ts';

/** A person may have written DONE meanwhile, or before the first start. */
export const lookBeforeALife: StartRule = (_lane, view) => {
  const next = view.state.opened + 1;
  return view.state.task.sight?.before === next ? null : lookingBefore(view, next);
};

/** Before the first start only. A watcher reports changes; the timer is only a fallback. */
export const waitForDependencies: StartRule = (_lane, view) => {
  const { opened, task } = view.state;
  if (opened > 0 || task.blockedBy.length === 0) return null;
  return { kind: 'wait', untilMs: view.nowMs + Math.max(60_000, specOf(view).pollMs) };
};

/** A pause after every end of the agent, whatever its exit code, counted from that end. */
export const pauseBetweenLives: StartRule = (_lane, view) => {
  const last = lastLifeOfThisSitting(view);
  if (!last) return null;
  const untilMs = last.atMs + restartPauseMs(view.state.failuresInARow, specOf(view));
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : null;
};

/** Starts the root agent once more. */
export const openTheNextLife: StartRule = (lane, { state }) => ({ kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } });

/** Whatever the exit code of the agent, its task folder says whether it is done. */
export const lookAfterALife: StartRule = (_lane, view) => (view.state.task.sight === null && lastLifeOfThisSitting(view) ? lookingAfter(view) : null);

/** A claim needs a proof: runs all checks on the workspace as it is now. A run that stops while children are running cannot prove anything. */
export const judgeTheDone: StartRule = (_lane, view) => {
  const { task, leaving, children } = view.state;
  const { gates } = view.settings;
  if (task.sight?.done.kind !== 'file' || task.judged !== null || gates.length === 0 || isDoneByCheating(view)) return null;
  if (leaving && children.active.length > 0) return null;
  const number = task.refusals + 1;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:done.${number}`,
      iteration: 0,
      attempt: number,
      where: 'workspace',
      gates: [...gates],
      name_tree: false,
      keep_tree: false,
      phase: `done_${number}`,
      protect: protectedBy(view),
      tree: null,
      until: null,
    },
  };
};

/** The checks are red, or protected paths were changed: DONE is renamed, and the next agent is told why. */
export const refuseTheDone: StartRule = (_lane, view) => {
  const { task } = view.state;
  if (task.sight?.done.kind !== 'file' || (task.judged?.green !== false && !isDoneByCheating(view))) return null;
  const number = task.refusals + 1;
  return { kind: 'do', effect: { kind: 'refuse-done', key: `refuse-done:${number}`, iteration: 0, attempt: 0, number } };
};
