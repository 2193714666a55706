import { notDone } from '../../../journal/words/outcome.ts';
import { protectedPaths } from '../../../proof/judge/protected-paths.ts';
import type { StopRule, View } from '../../../engine/decide/recipe.ts';

/** The agent is missing, forbidden or not logged in, or git is needed and cannot help: another iteration would end the same way. */
export const stopWhenNothingCanHelp: StopRule = (view) => {
  const fatal = view.state.fatal ?? withoutATree(view);
  return fatal ? { kind: 'stop', outcome: notDone('fatal', fatal.why, fatal.exitCode) } : null;
};

/** Protection that nobody can give must not be promised. */
function withoutATree({ state, settings }: View): { readonly why: string; readonly exitCode: number } | null {
  // A crew and stories go by what their branches began with.
  if (state.startTree !== null || settings.work !== null || settings.stories !== null) return null;
  const flag = protectedPaths(settings).length > 0 ? '--protect' : settings.loop?.verifyClean ? '--verify clean' : null;
  return flag === null ? null : { why: `${flag} needs a git repository that can say what has changed, and this is none`, exitCode: 4 };
}
