import type { StartRule } from '../../../engine/decide/recipe.ts';
import type { NewBusMessage } from '../../../journal/messages.ts';
import { type AskedQuestion, answerKey } from '../../../journal/state/questions.ts';
import { restartPauseMs } from '../../../limits/retry-policy.ts';
import { protectedBy } from '../../shared/effect-requests.ts';
import {
  isDoneWithProtectedChanges,
  lastStartSinceResume,
  lookAfterRequest,
  lookBeforeRequest,
  type SuperviseSettings,
  type SuperviseView,
} from '../supervised-task.ts';

/** A person may have written DONE meanwhile, or before the first start. */
export const lookBeforeAStart: StartRule = (_lane, view) => {
  const next = view.state.opened + 1;
  return view.state.task.lastLook?.before === next ? null : lookBeforeRequest(view, next);
};

/** Before the first start only. A watcher reports changes; the timer is only a fallback. */
export const waitForDependencies: StartRule<SuperviseSettings> = (_lane, view) => {
  const { opened, task } = view.state;
  if (opened > 0 || task.blockedBy.length === 0) return null;
  return { kind: 'wait', untilMs: view.nowMs + Math.max(60_000, view.settings.supervise.pollMs) };
};

/** A person has answered: the answer stands on the bus before the next life begins, which reads it there. */
export const postTheAnswers: StartRule<SuperviseSettings> = (_lane, view) => {
  const answered = view.state.questions.find(({ answer, isPassedOn }) => answer !== null && !isPassedOn);
  if (answered === undefined) return null;
  const key = answerKey(answered);
  return { kind: 'do', effect: { kind: 'post', key, iteration: 0, attempt: 0, bus: 'task', message: answerMessage(answered, view, key) } };
};

/** A question that is not on the bus is repeated in the answer. */
function answerMessage({ text, answer, message }: AskedQuestion, view: SuperviseView, key: string): NewBusMessage {
  const { project, task } = view.settings.supervise;
  return {
    type: 'ANSWER',
    project_id: project,
    task_id: task,
    run_id: view.state.run?.id ?? '',
    ...(message !== undefined && { parents: [{ msg_id: message }] }),
    meta: { propagation_key: `${view.state.run?.id}:${key}` },
    body: message === undefined ? `You asked: ${text}\n${answer}` : (answer ?? ''),
  };
}

/** A pause after every end of the agent, whatever its exit code, counted from that end. */
export const pauseBetweenStarts: StartRule<SuperviseSettings> = (_lane, view) => {
  const last = lastStartSinceResume(view);
  if (!last) return null;
  const untilMs = last.atMs + restartPauseMs(view.state.failuresInARow, view.settings.supervise);
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : null;
};

/** Starts the root agent once more. */
export const openTheNextStart: StartRule = (lane, { state }) => ({ kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } });

/** Whatever the exit code of the agent, its task folder says whether it is done. */
export const lookAfterAnEnd: StartRule = (_lane, view) => (view.state.task.lastLook === null && lastStartSinceResume(view) ? lookAfterRequest(view) : null);

/** A claim needs a proof: runs all checks on the workspace as it is now. A run that stops while children are running cannot prove anything. */
export const judgeTheDone: StartRule = (_lane, view) => {
  const { task, leaving, children } = view.state;
  const { gates } = view.settings;
  if (task.lastLook?.done.kind !== 'file' || task.judged !== null || gates.length === 0 || isDoneWithProtectedChanges(view)) return null;
  if (leaving && children.active.length > 0) return null;
  const number = task.refusals + 1;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:done.${number}`,
      iteration: 0,
      attempt: number,
      where: 'workspace',
      gates: [...gates],
      name_tree: false,
      keep_tree: false,
      phase: `done_${number}`,
      protect: protectedBy(view),
      tree: null,
      until: null,
    },
  };
};

/** The checks are red, or protected paths were changed: DONE is renamed, and the next agent is told why. */
export const refuseTheDone: StartRule = (_lane, view) => {
  const { task } = view.state;
  if (task.lastLook?.done.kind !== 'file' || (task.judged?.green !== false && !isDoneWithProtectedChanges(view))) return null;
  const number = task.refusals + 1;
  return { kind: 'do', effect: { kind: 'refuse-done', key: `refuse-done:${number}`, iteration: 0, attempt: 0, number } };
};
