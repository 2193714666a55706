import type { EffectHandler } from '../../../engine/contracts.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { TakeTask } from '../../../journal/effects/work-effect.ts';
import type { Fact } from '../../../journal/events/journal-event.ts';
import type { TaskTaken } from '../../../journal/events/work.ts';
import type { Plan } from '../../../journal/words/plan.ts';
import type { TaskRegister } from '../../../journal/words/task-register.ts';
import { type Hold, selectTask, taskTotals } from '../../../plans/graph/select-task.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { readHolds, readWorkablePlan, readyTasks, undoneNumber } from '../../../plans/holds/hold-of.ts';
import { holdUnmerged, renewHold } from '../../../plans/holds/hold-task.ts';
import { takeByCommand } from './take-task-by-command.ts';
import { auditClaimed, holderFor, planNews, planTroubled, taskNone, taskTaken } from './take-task-facts.ts';

/** Takes the next ready task, unless others are faster. */
export const takeTask: EffectHandler<TakeTask, PlanPorts> = {
  async perform(effect, ports) {
    const workPorts = ports.work;
    const behind = await workPorts.branches.shared?.catchUp();
    if (behind) return planTroubled(effect, behind.why);
    const sight = await readWorkablePlan(workPorts.plan, ports.settings.work.plan.path);
    if (sight.kind === 'trouble') return planTroubled(effect, sight.why);
    const plan = withoutSkipped(sight.plan, effect.skip ?? []);
    return workPorts.runPromptCommand === null
      ? await takeFromPlan(effect, ports, plan)
      : await takeByCommand(effect, ports, { ask: workPorts.runPromptCommand, plan });
  },

  /**
   * The register has our key. The process that wrote it is dead, so it is claimed again for this one. The output of a prompt command is
   * lost; the command is asked again, and gets the same task for the same key.
   */
  async find(effect, ports) {
    const crew = ports.work;
    const { path } = ports.settings.work.plan;
    const sight = crew.runPromptCommand === null ? await readWorkablePlan(crew.plan, path) : null;
    if (sight?.kind !== 'plan') return null;
    const holder = holderFor(effect, ports);
    const holds = await readHolds(crew, path, sight.plan);
    for (const task of sight.plan.tasks) {
      const { n, register } = holds.get(task.id) ?? { n: 0, register: null };
      if (register?.state !== 'held' || register.key !== effect.key || register.holder?.name !== holder.name) continue;
      const again = await renewHold(crew, registerName(path, task.id), { n, register });
      if (again === null) return null;
      await auditClaimed(ports, task, holder, 'kept after a restart');
      return { ...taskTaken(effect, ports, { task, ...again, prompt: null }), ...taskTotals(sight.plan, holds, ports.settings.work.filter) };
    }
    return null;
  },
};

/** To this run, a task that a person told it to leave alone is blocked. */
function withoutSkipped(plan: Plan, skip: readonly string[]): Plan {
  if (skip.length === 0) return plan;
  return { ...plan, tasks: plan.tasks.map((task) => (skip.includes(task.id) && task.status !== 'complete' ? { ...task, status: 'blocked' } : task)) };
}

/** A task that was lost to another is not tried twice, so this ends. */
async function takeFromPlan(effect: TakeTask, ports: PlanPorts, plan: Plan): Promise<Fact> {
  const workPorts = ports.work;
  const { plan: place, filter } = ports.settings.work;
  const holder = holderFor(effect, ports);
  const lost = new Map<string, Hold>();
  for (;;) {
    const holds = new Map([...(await readHolds(workPorts, place.path, plan)), ...lost]);
    const selection = selectTask(plan, holds, filter);
    if (selection.kind === 'nothing') return { ...taskNone(effect, selection), ...planNews(ports, plan, holds) };
    for (const task of readyTasks(plan, holds, filter)) {
      const answer = await holdUnmerged(workPorts, {
        planPath: place.path,
        task: task.id,
        holder,
        key: effect.key,
        nowMs: ports.clock.nowMs(),
        ...undoneNumber(holds.get(task.id)),
      });
      if (answer.kind === 'held') {
        await auditClaimed(ports, task, holder);
        const taken = taskTaken(effect, ports, { task, n: answer.n, held: answer.held, prompt: null });
        return { ...taken, ...doneBefore(answer.register), ...taskTotals(plan, holds, filter), ...planNews(ports, plan, holds) };
      }
      lost.set(task.id, answer.by);
    }
  }
}

/** A person has set it back in the plan: the console says so. */
function doneBefore(register: TaskRegister | null): Pick<TaskTaken, 'done_before'> {
  return register?.state === 'done' && register.base !== null ? { done_before: register.base } : {};
}
