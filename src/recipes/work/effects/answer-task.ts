import type { EffectHandler } from '../../../engine/contracts.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { AnswerTask } from '../../../journal/effects/work-effect.ts';
import type { TaskAnswered } from '../../../journal/events/work.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { holdOf } from '../../../plans/holds/hold-of.ts';
import { retryTask, answerTask as writeAnswers } from '../../../plans/holds/hold-task.ts';

/** Writes a person's answer into the register of the task that waits for it. */
export const answerTask: EffectHandler<AnswerTask, PlanPorts> = {
  async perform(effect, ports) {
    const { task, n, key, answers } = effect;
    const wish = { planPath: ports.settings.work.plan.path, task, key, answers, nowMs: ports.clock.nowMs() };
    return answered(effect, await (n === undefined ? retryTask(ports.work, wish) : writeAnswers(ports.work, { ...wish, n })));
  },

  /** The register has our key if it happened. If somebody has taken the task since, writing is tried again, and refused. */
  async find(effect, ports) {
    const { registers, livenessOf } = ports.work;
    const found = await registers.get(registerName(ports.settings.work.plan.path, effect.task));
    return found !== null && holdOf(found, livenessOf).register?.key === effect.key ? answered(effect, true) : null;
  },
};

function answered({ key, task, n }: AnswerTask, was_ours: boolean): TaskAnswered {
  return { type: 'task.answered', key, task, ...(n !== undefined && { n }), was_ours };
}
