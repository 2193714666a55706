import type { StartRule } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';
import { looksAgainAtMs } from '../working.ts';

/** Nothing is ready, but somebody is at work: here, or in another process that shares the plan. */
export const waitForOthers: StartRule = (_lane, view) => {
  const atMs = looksAgainAtMs(view);
  if (atMs === null || atMs <= view.nowMs) return null;
  return { kind: 'wait', untilMs: noLaterThanTheEnd(atMs, view) };
};
