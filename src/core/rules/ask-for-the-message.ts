import { lastNumber } from '../last-number.ts';
import type { StepRule } from '../recipe.ts';
import { commitsByGit, isCommit, isReadyForScm, MESSAGE_PROMPT, nextTask } from '../scm-tasks.ts';

/** Before the first SCM task, where there is something to commit and git can: the agent says what it is. Asked once; a limit or an error gives no message (seed 001). */
export const askForTheMessage: StepRule = (iteration, view) => {
  const { settings, state, nowMs } = view;
  if (settings.scm === null || !isReadyForScm(iteration, view) || iteration.scm.message !== null) return null;
  if (settings.scm.message === 'generated') return null;
  const next = nextTask(iteration, settings.scm);
  if (next === null || !settings.scm.tasks.slice(next).some(isCommit)) return null;
  if (commitsByGit(settings.scm) && !iteration.judged?.tree) return null;
  const attempt = iteration.attempts + 1;
  const refused = (detail: string) =>
    ({ kind: 'say', event: { type: 'commit.refused', key: `commit:${iteration.number}`, iteration: iteration.number, reason: 'no-message', detail } }) as const;
  if (iteration.scm.asked) return refused(`the agent did not provide a valid commit message${because(iteration.scm.asked.why)}`);
  if (nowMs < state.limit.untilMs) return refused('a usage limit was reached before the agent could be asked for a commit message');
  return {
    kind: 'do',
    effect: {
      kind: 'run-agent',
      key: `agent:${iteration.number}.${attempt}`,
      iteration: iteration.number,
      attempt,
      role: 'message',
      prompt: MESSAGE_PROMPT,
      about: '',
      failures: [],
      maximum: lastNumber(state),
      context: null,
      until: null,
      budget_usd: null,
    },
  };
};

const because = (why: string) => (why === '' ? '' : `: ${why}`);
