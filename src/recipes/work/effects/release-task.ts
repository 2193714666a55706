import type { EffectHandler } from '../../../engine/contracts.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { ReleaseTask } from '../../../journal/effects/work-effect.ts';
import type { TaskReleased } from '../../../journal/events/work.ts';
import type { Holder } from '../../../journal/words/task-register.ts';
import { selectTask } from '../../../plans/graph/select-task.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { holdOf, readHolds } from '../../../plans/holds/hold-of.ts';
import { releaseHold } from '../../../plans/holds/hold-task.ts';
import { runIdOf } from '../../../workspace/effects/scm-place.ts';

/** Releases the task with its result. A task that changed hands meanwhile is left to its new holder. */
export const releaseTask: EffectHandler<ReleaseTask, PlanPorts> = {
  async perform(effect, ports) {
    const { task, n, state, branch, base, tries, feedback, key, claim, question, answers, unwritten } = effect;
    const holder = (await registerOf(effect, ports))?.register?.holder ?? someWorker(ports);
    const fate = {
      state,
      holder,
      key,
      at: ports.clock.nowMs(),
      branch,
      base,
      tries,
      feedback,
      ...(claim && { claim }),
      ...(question && { question }),
      ...(answers && { answers }),
      ...(unwritten && { unwritten }),
    };
    const wasOurs = await releaseHold(ports.work, { planPath: ports.settings.work.plan.path, task, n, ...fate });
    if (wasOurs) await audit(effect, ports, holder);
    return { ...released(effect, wasOurs), ...(wasOurs && (await whatIsLeft(effect, ports))) };
  },

  /** The register has our key if it happened. If somebody has taken the task since, nothing is found: then the release is tried again, and refused. */
  async find(effect, ports) {
    const found = await registerOf(effect, ports);
    const { register = null } = found ?? {};
    if (register?.key !== effect.key || found?.n !== effect.n + 1) return null;
    await audit(effect, ports, register.holder ?? someWorker(ports), 'found after a restart');
    return released(effect, true);
  },
};

async function registerOf({ task }: ReleaseTask, ports: PlanPorts) {
  const { registers, livenessOf } = ports.work;
  const found = await registers.get(registerName(ports.settings.work.plan.path, task));
  return found === null ? null : holdOf(found, livenessOf);
}

/** For an unreadable register: the number is ours all the same. */
function someWorker(ports: PlanPorts): Holder {
  const run = runIdOf(ports.place);
  return { name: run, run, lane: null, process: ports.work.process };
}

/** Looked at only before a pause, which a run that is over need not make. A prompt command would take the task that it finds. */
async function whatIsLeft({ state, iteration }: ReleaseTask, ports: PlanPorts): Promise<Pick<TaskReleased, 'none'>> {
  const work = ports.work;
  const { plan: place, filter, pauseMs } = ports.settings.work;
  if (iteration === 0 || work.runPromptCommand !== null || (pauseMs === 0 && state === 'done')) return {};
  const plan = (await work.plan.read())?.plan;
  const selection = plan ? selectTask(plan, await readHolds(work, place.path, plan), filter) : null;
  if (selection?.kind !== 'nothing') return {};
  const { reason, held, counts, detail } = selection;
  return { none: { reason, held, counts, detail } };
}

const STATUS = { done: 'complete', free: 'ready', failed: 'failed', conflict: 'conflict', parked: 'parked' } as const;

async function audit({ task, state }: ReleaseTask, ports: PlanPorts, { name }: Holder, notes?: string): Promise<void> {
  await ports.work.audit({
    timestamp: new Date(ports.clock.nowMs()).toISOString(),
    event: state === 'done' ? 'completed' : 'released',
    task_id: task,
    old_status: 'in-progress',
    new_status: STATUS[state],
    worktree: ports.place.workspace,
    trigger: name,
    ...(notes === undefined ? {} : { notes }),
  });
}

function released({ key, iteration, task, state }: ReleaseTask, wasOurs: boolean): TaskReleased {
  return { type: 'task.released', key, iteration, task, state, was_ours: wasOurs };
}
