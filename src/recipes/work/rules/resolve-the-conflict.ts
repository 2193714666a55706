import { asking } from '../../shared/asking.ts';
import { reasonToLeave } from '../../../limits/leaving.ts';
import { buildConflictPrompt } from '../conflict-prompt.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { isUpForProof } from '../working.ts';

/** What conflicts with the work of the others gets the base into its worktree, and a fresh agent to resolve it. */
export const resolveTheConflict: StepRule = (iteration, view) => {
  const { hand, number, attempts } = iteration;
  if (hand?.workspace == null || hand.givenUp !== null) return null;
  if (hand.brought !== null) return hand.brought.problem === null && reasonToLeave(view) === null ? asked(iteration, view) : null;
  const isConflict = isUpForProof(iteration, view) && hand.merge?.result === 'conflict';
  if (!isConflict || hand.resolves >= (view.settings.work?.resolveTries ?? 0)) return null;
  return { kind: 'do', effect: { kind: 'bring-base', key: `base:${number}.${attempts}`, iteration: number, attempt: attempts, path: hand.workspace.path } };
};

function asked(iteration: OpenIteration, view: View) {
  const { hand } = iteration;
  const { state, nowMs } = view;
  if (hand === null || hand.workspace === null || hand.brought === null) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait' as const, untilMs: state.limit.untilMs };
  const { task, brought, workspace } = hand;
  const { work, gates } = view.settings;
  const checks = gates.map(({ command }) => command);
  const prompt = buildConflictPrompt({ task, project: '', base: work?.base ?? '', paths: brought.conflicts, checks });
  return asking(iteration, view, { role: 'resolve', prompt, cwd: workspace.cwd });
}
