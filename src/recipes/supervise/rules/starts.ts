import type { StartRule } from '../../../engine/decide/recipe.ts';
import { restartPauseMs } from '../../../limits/retry.ts';
import { protectedBy } from '../../shared/judging.ts';
import { isDoneByCheating, lastLifeOfThisSitting, lookingAfter, lookingBefore, specOf } from '../supervising.ts';

/** A person may have written DONE meanwhile, or never have wanted a life at all. */
export const lookBeforeALife: StartRule = (_lane, view) => {
  const next = view.state.opened + 1;
  return view.state.task.sight?.before === next ? null : lookingBefore(view, next);
};

/** Before the first life only. A watcher looks and tells when something has changed; the alarm is only to have one. */
export const waitForDependencies: StartRule = (_lane, view) => {
  const { opened, task } = view.state;
  if (opened > 0 || task.blockedBy.length === 0) return null;
  return { kind: 'wait', untilMs: view.nowMs + Math.max(60_000, specOf(view).pollMs) };
};

/** A pause after every life, whatever its exit code, counted from its end. */
export const pauseBetweenLives: StartRule = (_lane, view) => {
  const last = lastLifeOfThisSitting(view);
  if (!last) return null;
  const untilMs = last.atMs + restartPauseMs(view.state.failuresInARow, specOf(view));
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : null;
};

/** One more life of the root agent. */
export const openTheNextLife: StartRule = (lane, { state }) => ({ kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } });

/** Whatever the agent exited with, its folder says whether it is done. */
export const lookAfterALife: StartRule = (_lane, view) => (view.state.task.sight === null && lastLifeOfThisSitting(view) ? lookingAfter(view) : null);

/** A claim needs a proof: all checks, on the workspace as it is now. Who leaves while children are at work has no proof to hope for. */
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

/** The checks do not confirm it, or it was come by in a way that does not count: it is taken out of the way, and the next life is told why. */
export const refuseTheDone: StartRule = (_lane, view) => {
  const { task } = view.state;
  if (task.sight?.done.kind !== 'file' || (task.judged?.green !== false && !isDoneByCheating(view))) return null;
  const number = task.refusals + 1;
  return { kind: 'do', effect: { kind: 'refuse-done', key: `refuse-done:${number}`, iteration: 0, attempt: 0, number } };
};
