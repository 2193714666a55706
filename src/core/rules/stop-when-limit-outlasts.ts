import { formatDuration } from '../../kit/pure/duration.ts';
import { notDone } from '../../model/outcome.ts';
import { limitOutlasts } from '../leaving.ts';
import type { StopRule } from '../recipe.ts';

/** Waiting for the usage limit would take longer than the operator allows. */
export const stopWhenTheLimitOutlastsOurPatience: StopRule = (view) => {
  if (!limitOutlasts(view)) return null;
  const { limit } = view.state;
  const allowed = formatDuration(view.settings.limits.limitWaitMs);
  const needed = formatDuration(limit.waitedMs);
  const window = limit.window ? ` (${limit.window})` : '';
  return { kind: 'stop', outcome: notDone('rate_limited', `Usage limit${window}: waiting would take ${needed} in all, ${allowed} is allowed`) };
};
