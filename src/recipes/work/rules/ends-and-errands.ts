import type { EndRule, ErrandRule } from '../../../engine/decide/recipe.ts';
import { retriesToCarryOut } from '../../../journal/state/instructions.ts';
import { openQuestions } from '../../../journal/state/questions.ts';
import { answersFor, answersToPassOn } from '../task-progress.ts';

/** A task that was taken while the run was stopping is released. */
export const releaseUnopenedTasks: EndRule = (_stop, { state: { tasks } }) => {
  const { taken } = tasks;
  if (taken === null) return null;
  const { task, n, tries, feedback, from } = taken;
  const fate = { task: task.id, n, state: 'free' as const, branch: from, base: null, tries, feedback };
  return { kind: 'do', effect: { kind: 'release-task', key: `release:0.${tasks.asked}`, iteration: 0, attempt: 0, ...fate } };
};

/** A person has answered: the task that waits for it may be taken again, by any worker of any run. */
export const passOnTheAnswers: ErrandRule = ({ state }) => {
  const begun = new Set(state.inFlight.map(({ key }) => key));
  for (const { task, parkedAs: n } of answersToPassOn(state)) {
    const key = `answer:${task}@${n}`;
    if (begun.has(key)) continue;
    return { kind: 'do', effect: { kind: 'answer-task', key, iteration: 0, attempt: 0, task, n, answers: [...answersFor(task, [], state)] } };
  }
  return null;
};

/** A person wants a task tried again that failed, conflicts, or waits. Their words are kept in its register, for whichever run takes it. */
export const freeTasksForAnotherTry: ErrandRule = ({ state }) => {
  const next = retriesToCarryOut(state).find(({ key }) => !state.inFlight.some((effect) => effect.key === key));
  if (next === undefined) return null;
  const { task, key, text } = next;
  const why = state.tasks.left?.find((left) => left.task === task)?.why;
  const asked = openQuestions(state).find((open) => open.task === task)?.text;
  const question = asked ?? `${why === undefined ? '' : `It was not done: ${why}. `}What has the next try to know?`;
  const words = text === null ? [] : [{ question, answer: text }];
  return { kind: 'do', effect: { kind: 'answer-task', key, iteration: 0, attempt: 0, task, answers: [...answersFor(task, words, state)] } };
};

/** A worker that has lost its task ends its agent at once. */
export const endTheAgentOfALostTask: ErrandRule = ({ state }) => {
  const lost = state.open.find(({ currentTask }) => currentTask?.abandonedBecause != null);
  const agent = lost && state.inFlight.find((effect) => effect.kind === 'run-agent' && effect.iteration === lost.number);
  return agent ? { kind: 'cancel', key: agent.key, cause: lost.currentTask?.abandonedBecause ?? '' } : null;
};
