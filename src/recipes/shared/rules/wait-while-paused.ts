import type { StartRule } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';

const LONG_MS = 24 * 60 * 60_000;

/** What runs goes on; nothing new is started until the operator says so. */
export const waitWhilePaused: StartRule = (_lane, view) =>
  view.state.paused ? { kind: 'wait', untilMs: noLaterThanTheEnd(view.nowMs + LONG_MS, view) } : null;
