import type { PlanPorts, WorkPorts } from '../../../engine/ports/ports.ts';
import type { TakeTask } from '../../../journal/effects/work-effect.ts';
import type { Fact } from '../../../journal/events/journal-event.ts';
import { NothingReason, type Plan, type PlanTask, type TaskFilter } from '../../../journal/words/plan.ts';
import type { Holder, TaskRegister } from '../../../journal/words/task-register.ts';
import { mostInformativeLine } from '../../../kit/pure/text.ts';
import { admits, countTasks, type Hold, type Nothing, selectTask, standingOf } from '../../../plans/graph/select-task.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { readHolds, readWorkablePlan } from '../../../plans/holds/hold-of.ts';
import { holdUnmerged, releaseHold, renewHold } from '../../../plans/holds/hold-task.ts';
import { auditClaimed, holderFor, planNews, planTroubled, taskNone, taskTaken } from './take-task-facts.ts';

type Ask = NonNullable<WorkPorts['runPromptCommand']>;
type Said = Awaited<ReturnType<Ask>>;

/** The plan after the command has run, and our own task in it. */
interface Sight {
  readonly plan: Plan;
  readonly holds: ReadonlyMap<string, Hold>;
  readonly holder: Holder;
}

interface OwnTask {
  readonly task: PlanTask;
  readonly n: number;
  readonly register: TaskRegister;
}

/**
 * The operator's command decides what to do (seed 000): 0 and a prompt, 1 for no work, anything else is a problem that may pass. It may claim the
 * task itself, as `ralph task prompt --claim` does; otherwise the task that its prompt names is claimed here.
 */
export async function takeByCommand(effect: TakeTask, ports: PlanPorts, { ask, plan }: { readonly ask: Ask; readonly plan: Plan }): Promise<Fact> {
  const holder = holderFor(effect, ports);
  await releaseEarlierClaims(effect, ports, await lookAt(ports, plan, holder));
  const said = await ask(holder, effect.key);
  // The command may have rewritten the plan.
  const now = await readWorkablePlan(ports.work.plan, ports.settings.work.plan.path);
  if (now.kind === 'trouble') return planTroubled(effect, now.why);
  const sight = await lookAt(ports, now.plan, holder);
  if (said.code === 1)
    return { ...taskNone(effect, nothingByCommand(sight, ports.settings.work.filter, said.stderr)), ...planNews(ports, sight.plan, sight.holds) };
  const trouble = troubleIn(said);
  const fact = trouble === null ? await takeWhatItNames(effect, ports, sight, said.stdout) : planTroubled(effect, trouble);
  return fact.type === 'task.taken' ? { ...fact, ...planNews(ports, sight.plan, sight.holds) } : fact;
}

async function lookAt(ports: PlanPorts, plan: Plan, holder: Holder): Promise<Sight> {
  return { plan, holds: await readHolds(ports.work, ports.settings.work.plan.path, plan), holder };
}

/** A worker that asks for work has none, so a task with its name was claimed by a command that then failed. */
async function releaseEarlierClaims({ key }: TakeTask, ports: PlanPorts, sight: Sight): Promise<void> {
  for (const own of tasksOf(sight)) if (own.register.key !== key) await releaseClaim(ports, own);
}

async function releaseClaim(ports: PlanPorts, { task, n, register }: OwnTask): Promise<void> {
  await releaseHold(ports.work, { planPath: ports.settings.work.plan.path, task: task.id, n, ...register, state: 'free' });
}

function tasksOf({ plan, holds, holder }: Sight): readonly OwnTask[] {
  return plan.tasks.flatMap((task) => {
    const { n, register } = holds.get(task.id) ?? { n: 0, register: null };
    return register?.state === 'held' && register.holder?.name === holder.name ? [{ task, n, register }] : [];
  });
}

function troubleIn({ code, stdout, stderr }: Said): string | null {
  if (code === 0) return stdout.trim() === '' ? 'the prompt command printed nothing' : null;
  const line = mostInformativeLine(stderr);
  return `the prompt command ${code === null ? 'was killed' : `ended with ${code}`}${line === '' ? '' : `: ${line}`}`;
}

async function takeWhatItNames(effect: TakeTask, ports: PlanPorts, sight: Sight, prompt: string): Promise<Fact> {
  const named = taskNamedIn(prompt);
  const claimed = tasksOf(sight);
  const own = claimed.find(({ task }) => task.id === named) ?? claimed[0];
  const wanted = own?.task.id ?? named;
  if (wanted !== null && effect.skip?.includes(wanted)) {
    if (own !== undefined) await releaseClaim(ports, own);
    return planTroubled(effect, `the prompt command names ${wanted}, which a person told this run to skip`);
  }
  if (own !== undefined) return await keepClaim(effect, ports, own, prompt);
  if (named === null) return planTroubled(effect, 'the prompt command names no task: it needs a line "Your task: <id> - <title>"');
  const task = sight.plan.tasks.find(({ id }) => id === named);
  if (task === undefined) return planTroubled(effect, `the prompt command names ${named}, which is not in the plan`);
  if (task.status === 'complete') return planTroubled(effect, `the prompt command names ${named}, which is complete`);
  return await holdNamed(effect, ports, task, prompt);
}

/** The line of the seed's own prompts. */
function taskNamedIn(prompt: string): string | null {
  return /^[\s*`]*Your task:[\s*`]*([^\s*`]+)[\s*`]*(?:-\s.*)?$/m.exec(prompt)?.[1] ?? null;
}

/** A claim for this very process is as good as our own; any other is claimed again. */
async function keepClaim(effect: TakeTask, ports: PlanPorts, own: OwnTask, prompt: string): Promise<Fact> {
  const workPorts = ports.work;
  const { task, n, register } = own;
  if (register.key === effect.key && isSame(register.holder?.process ?? null, workPorts.process))
    return taskTaken(effect, ports, { task, n, held: register, prompt });
  const mine = { ...register, holder: holderFor(effect, ports), key: effect.key };
  const again = await renewHold(workPorts, registerName(ports.settings.work.plan.path, task.id), { n, register: mine });
  return again === null ? planTroubled(effect, `${task.id} changed hands while it was claimed`) : taskTaken(effect, ports, { task, ...again, prompt });
}

function isSame(one: Holder['process'], other: NonNullable<Holder['process']>): boolean {
  return one !== null && one.pid === other.pid && one.start_time === other.start_time && one.boot_id === other.boot_id && one.host === other.host;
}

async function holdNamed(effect: TakeTask, ports: PlanPorts, task: PlanTask, prompt: string): Promise<Fact> {
  const holder = holderFor(effect, ports);
  const request = { planPath: ports.settings.work.plan.path, task: task.id, holder, key: effect.key, nowMs: ports.clock.nowMs() };
  const answer = await holdUnmerged(ports.work, request);
  if (answer.kind === 'taken') return planTroubled(effect, `the prompt command names ${task.id}, which ${holderText(answer.by)}`);
  await auditClaimed(ports, task, holder);
  return taskTaken(effect, ports, { task, n: answer.n, held: answer.held, prompt });
}

function holderText({ register }: Hold): string {
  if (register === null) return 'has a register that cannot be read';
  return register.state === 'held' ? `${register.holder?.name ?? 'somebody'} has` : `is ${register.state}`;
}

interface PlanSight {
  readonly plan: Plan;
  readonly holds: ReadonlyMap<string, Hold>;
}

/** The prompt command has no work. It may give the reason in a line of JSON; otherwise the plan does, if it agrees. */
function nothingByCommand(sight: PlanSight, filter: TaskFilter, stderr: string): Nothing {
  const { plan, holds } = sight;
  const selection = selectTask(plan, holds, filter);
  const nothing = selection.kind === 'nothing' ? selection : againstThePlan(sight, filter, selection.task.id);
  return { ...nothing, reason: reasonIn(stderr) ?? nothing.reason };
}

function againstThePlan({ plan, holds }: PlanSight, filter: TaskFilter, ready: string): Nothing {
  const admitted = plan.tasks.filter((task) => admits(task, filter));
  return {
    kind: 'nothing',
    reason: 'none-match',
    held: [...holds.values()].some(({ register, liveness }) => register?.state === 'held' && (liveness === 'alive' || liveness === 'unknown')),
    counts: countTasks(admitted, standingOf(plan, holds)),
    detail: `the prompt command has no work, although ${ready} is ready`,
  };
}

/** The last line with a reason: `{"reason": "all-complete"}`. */
function reasonIn(stderr: string): NothingReason | null {
  return stderr.split('\n').reduce<NothingReason | null>((found, line) => reasonOf(line) ?? found, null);
}

function reasonOf(line: string): NothingReason | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    return NothingReason.safeParse((JSON.parse(line) as { readonly reason?: unknown }).reason).data ?? null;
  } catch {
    return null;
  }
}
