import type { CleanContext } from '../../journal/effects/effect.ts';
import { progressText } from '../../report/console/progress-text.ts';
import type { View } from '../../engine/decide/recipe.ts';

/** What a fresh agent of a loop is told of those before it; null for a run, whose prompt is the operator's own. */
export function cleanContext({ state, settings }: View): CleanContext | null {
  if (settings.loop === null) return null;
  const entries = state.closed.map(({ entry }) => entry);
  return {
    since: state.startTree,
    error: entries.at(-1)?.error ?? '',
    progress: entries.length === 0 ? '' : progressText(entries),
    red_at_start: (state.baseline ?? []).filter(({ green }) => !green).map(({ command }) => command),
  };
}
