import { asking } from '../../shared/asking.ts';
import type { Decision } from '../../../engine/decide/decision.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import { commitsByGit, isCommit, isReadyForScm, MESSAGE_PROMPT, nextTask } from '../../shared/scm-tasks.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';

/** Before the first SCM task, where there is something to commit and git can: the agent says what it is. Asked once; a limit or an error gives no message (seed 001). */
export const askForTheMessage: StepRule = (iteration, view) => {
  if (!needsAMessage(iteration, view)) return null;
  const { asked } = iteration.scm;
  if (asked) return refused(iteration, `the agent did not provide a valid commit message${asked.why === '' ? '' : `: ${asked.why}`}`);
  if (view.nowMs < view.state.limit.untilMs) return refused(iteration, 'a usage limit was reached before the agent could be asked for a commit message');
  return asking(iteration, view, { role: 'message', prompt: MESSAGE_PROMPT });
};

/** A commit is to come, the agent words it, and has not done so yet. */
function needsAMessage(iteration: OpenIteration, view: View): boolean {
  const { scm } = view.settings;
  if (scm === null || scm.message === 'generated' || iteration.scm.message !== null || !isReadyForScm(iteration, view)) return false;
  const next = nextTask(iteration, scm);
  if (next === null || !scm.tasks.slice(next).some(isCommit)) return false;
  return !commitsByGit(scm) || Boolean(iteration.judged?.tree);
}

function refused({ number }: OpenIteration, detail: string): Decision {
  return { kind: 'say', event: { type: 'commit.refused', key: `commit:${number}`, iteration: number, reason: 'no-message', detail, tree: null } };
}
