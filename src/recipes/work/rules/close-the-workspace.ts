import type { StepRule } from '../../../engine/decide/recipe.ts';

/** Its worktree goes; its branch only if its work is on the base. */
export const closeTheWorkspace: StepRule = ({ hand, number }) => {
  if (hand === null || hand.workspace === null || hand.isClosed) return null;
  const { path, branch } = hand.workspace;
  return {
    kind: 'do',
    effect: { kind: 'close-workspace', key: `close:${number}`, iteration: number, attempt: 0, path, branch, is_merged: hand.merge?.result === 'merged' },
  };
};
