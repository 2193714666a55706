import type { StartRule } from '../../../engine/decide/recipe.ts';
import { restartPauseMs } from '../../../limits/retry.ts';
import { lastLifeOfThisSitting, lookingBefore, specOf } from '../supervising.ts';

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
