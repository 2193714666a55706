import { notDone } from '../../model/outcome.ts';
import type { StopRule, View } from '../recipe.ts';

/** The agent is missing, forbidden or not logged in, or git is needed and cannot help: another iteration would end the same way. */
export const stopWhenNothingCanHelp: StopRule = (view) => {
  const fatal = view.state.fatal ?? withoutATree(view);
  return fatal ? { kind: 'stop', outcome: notDone('fatal', fatal.why, fatal.exitCode) } : null;
};

/** Protection that nobody can give must not be promised. */
function withoutATree({ state, settings: { loop } }: View): { readonly why: string; readonly exitCode: number } | null {
  if (loop === null || state.startTree !== null) return null;
  const flag = loop.protect.length > 0 ? '--protect' : loop.verifyClean ? '--verify clean' : null;
  return flag === null ? null : { why: `${flag} needs a git repository that can say what has changed, and this is none`, exitCode: 4 };
}
