import { formatDuration } from '../../../kit/pure/duration.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { specOf } from '../supervising.ts';

/** More failures than allowed within the time allowed: restarting does not help, it only costs. The last of them may still have left a DONE. */
export const stopWhenFailuresComeTooFast: StopRule = (view) => {
  const { intensity } = specOf(view);
  const { failedAtMs, sight } = view.state.task;
  const [first = 0, last = 0] = [failedAtMs.at(0), failedAtMs.at(-1)];
  if (sight?.done.kind !== 'absent') return null;
  if (intensity === null || failedAtMs.length <= intensity.failures || last - first > intensity.withinMs) return null;
  const message = `giving up: ${failedAtMs.length} failures within ${formatDuration(last - first)}, at most ${intensity.failures} within ${formatDuration(intensity.withinMs)} are allowed`;
  return { kind: 'stop', outcome: notDone('stuck', message) };
};
