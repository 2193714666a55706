import { truncateCodePoints } from '../../../kit/pure/truncate-code-points.ts';
import type { ScmSpec } from '../../../settings/schema/run-settings.ts';
import type { Decision } from '../../../engine/decide/decision.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import { isCommit, isGit, isReadyForScm, nextTask, wordsIn } from '../../shared/scm-tasks.ts';
import type { JudgedWork, OpenIteration } from '../../../journal/state/state.ts';

/** After green gates: the tasks in their order, until one fails. What is committed is exactly what the gates were given. */
export const carryOutScmTasks: StepRule = (iteration, view) => {
  const { scm } = view.settings;
  if (scm === null || !isReadyForScm(iteration, view)) return null;
  const task = nextTask(iteration, scm);
  if (task === null) return null;
  if (!isCommit(scm.tasks[task] ?? '') || !isGit(scm)) return runTask(iteration, scm, task);
  return commit(iteration, { scm, task, judged: iteration.judged, message: messageOf(iteration, view) });
};

interface Wanted {
  readonly scm: ScmSpec;
  readonly task: number;
  readonly judged: JudgedWork | null;
  readonly message: string | null;
}

/** On branches of our own a commit says which iteration of which run it is, for `ralph worktree` and for people. */
function messageOf({ number, scm }: OpenIteration, { state, settings }: View): string | null {
  if (settings.scm?.message !== 'generated') return scm.message;
  const [task = ''] = settings.prompt.from === 'text' ? settings.prompt.text.trim().split('\n') : [settings.prompt.path];
  const trailer = settings.loop?.worktree ? `\n\nRalph-Run: ${state.run?.id}/${number}` : '';
  return `Iteration ${number}: ${truncateCodePoints(task, 60, '…')}${trailer}`;
}

function commit({ number, attempts, scm: { refusals } }: OpenIteration, { scm, task, judged, message }: Wanted): Decision {
  const key = `commit:${number}.${task}${refusals === 0 ? '' : `~${refusals}`}`;
  if (!judged?.tree || message === null) {
    const detail = `git cannot name the working copy: ${judged?.problem ?? 'no reason given'}`;
    return { kind: 'say', event: { type: 'commit.refused', key, iteration: number, reason: 'failed', detail, tree: null } };
  }
  const flags = wordsIn(scm.tasks[task] ?? '').slice(1);
  const { head: parent, tree, treeAfter } = judged;
  return {
    kind: 'do',
    effect: { kind: 'commit', key, iteration: number, attempt: attempts, task, parent, message, flags, tree, tree_after: treeAfter ?? tree },
  };
}

/** Any other task, and the commit of any other SCM: `-am` and the message are then arguments like any other (seed 001). */
function runTask({ number, attempts, scm: { message } }: OpenIteration, scm: ScmSpec, task: number): Decision {
  const words = wordsIn(scm.tasks[task] ?? '');
  const said = isCommit(scm.tasks[task] ?? '') ? ['-am', message ?? ''] : [];
  return {
    kind: 'do',
    effect: {
      kind: 'run-command',
      key: `scm:${number}.${task}`,
      iteration: number,
      attempt: attempts,
      task,
      argv: [...wordsIn(scm.command), ...words, ...said],
      repeatable: words[0] === 'push',
    },
  };
}
