import type { NewBusMessage } from '../../journal/messages.ts';
import type { RunState } from '../../journal/state/state.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import type { SuperviseSettings } from './supervised-task.ts';

/** The message to the project about a finished task. The key is that of the run, so that the message can be found again and is never posted twice. */
export function completionFact({ run, opened, abandoned, children }: RunState<SuperviseSettings>, outcome: Outcome): NewBusMessage {
  if (run === null) throw new Error('Only a run that has started can complete its task.');
  const { project, task } = run.settings.supervise;
  const lives = opened - abandoned;
  return {
    type: 'FACT',
    project_id: project,
    task_id: task,
    run_id: run.id,
    meta: {
      kind: 'task_completion_propagation',
      propagation_key: run.id,
      restarts: `${lives}`,
      children: `${children.started.length}`,
      children_refused: `${children.refused.length}`,
      children_outlived: `${children.outlived.length}`,
      children_active: `${children.active.length}`,
      unproven: `${outcome.unproven}`,
      run_ids: [run.id, ...children.started].join(','),
    },
    body: `Task ${task} is completed${outcome.unproven ? ', unproven: no check was given' : ' and its checks are green'} (${lifeText(lives)}, ${childrenText(children)}).`,
  };
}

function lifeText(lives: number): string {
  if (lives === 0) return 'DONE was there before its agent was run';
  return lives === 1 ? 'the agent was run once' : `the agent was run ${lives} times`;
}

function childrenText({ started, outlived }: RunState['children']): string {
  if (started.length === 0 && outlived.length === 0) return 'without children';
  const count = started.length === 1 ? '1 child' : `${started.length} children`;
  return outlived.length === 0 ? count : `${count}, ${outlived.length} of which did not finish in time`;
}
