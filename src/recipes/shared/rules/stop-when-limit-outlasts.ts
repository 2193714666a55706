import { formatDuration } from '../../../kit/pure/duration.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { limitOutlasts } from '../../../limits/leaving.ts';
import { limitName } from '../../../journal/limit-name.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';

/** Waiting for the usage limit would take longer than the operator allows. */
export const stopWhenTheLimitOutlastsOurPatience: StopRule = (view) => {
  if (!limitOutlasts(view)) return null;
  const { limit } = view.state;
  const allowed = formatDuration(view.settings.limits.limitWaitMs);
  const needed = formatDuration(limit.waitedMs);
  return { kind: 'stop', outcome: notDone('rate_limited', `${limitName(limit.window)}: waiting would take ${needed} in all, ${allowed} is allowed`) };
};
