import type { StartRule } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';
import { standing, storiesSpec } from '../turning.ts';

const LONG_MS = 24 * 60 * 60_000;

/** Every story that is left waits for somebody, and we were told to stay. */
export const waitForAnAnswer: StartRule = (_lane, view) => {
  if (!storiesSpec(view).wait || standing(view)?.kind !== 'parked') return null;
  return { kind: 'wait', untilMs: noLaterThanTheEnd(view.nowMs + LONG_MS, view) };
};
