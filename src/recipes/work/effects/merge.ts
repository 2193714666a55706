import type { EffectHandler, Report } from '../../../engine/contracts.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { Merge } from '../../../journal/effects/work-effect.ts';
import type { MergeJudged } from '../../../journal/events/work.ts';
import { standingOf } from '../../../plans/graph/select-task.ts';
import { unlockedBy } from '../../../plans/graph/standing.ts';
import { taskBranch, taskSlug } from '../../../plans/graph/task-slug.ts';
import { readHolds } from '../../../plans/holds/hold-of.ts';
import { takeMergeSeat } from '../../../plans/holds/merge-seat.ts';
import { runIdOf } from '../../../workspace/effects/scm-place.ts';
import { cutOff, mergeJudged } from './merge-judged.ts';
import { mergeOnce } from './merge-once.ts';

/** A person who keeps committing to the branch must not block a worker for ever. */
const MOST_TRIES = 5;

/** Lands a result on the base: one at a time, and only if everything is green together with the other work. */
export const merge: EffectHandler<Merge, PlanPorts> = {
  async perform(effect, ports, report, signal) {
    const { shared } = ports.work.branches;
    await shared?.publish(taskBranch(effect.task.id, effect.n), effect.head);
    const judged = await inTheSeat(effect, { ports, report }, signal);
    if (judged.commit === null) return judged;
    await shared?.tidy(taskSlug(effect.task.id), effect.n).catch(() => undefined);
    return await landedAs(judged.commit, effect, ports, judged);
  },

  /** A ref that is created together with the move of the base records it. */
  async find(effect, ports) {
    const { branches } = ports.work;
    await branches.shared?.catchUp();
    const commit = await branches.merged(taskSlug(effect.task.id), effect.n);
    if (commit === null) return null;
    return await landedAs(commit, effect, ports, mergeJudged(effect, { result: 'merged', commit, left_behind: await branches.follow() }));
  },
};

async function inTheSeat(effect: Merge, world: { readonly ports: PlanPorts; readonly report: Report }, signal: AbortSignal): Promise<MergeJudged> {
  const { ports } = world;
  const request = { base: ports.settings.work.base, run: runIdOf(ports.place), key: effect.key };
  await using seat = await takeMergeSeat({ work: ports.work, clock: ports.clock }, request, signal);
  if (seat === null) return cutOff(effect);
  for (let tries = 1; ; tries += 1) {
    const judged = await mergeOnce(effect, world, signal);
    if (judged.result !== 'moved' || tries === MOST_TRIES) return judged;
  }
}

/** Adds the tree of its commit and the tasks it unblocks. That is only information: an unreadable plan unblocks nothing. */
async function landedAs(commit: string, { task }: Merge, ports: PlanPorts, judged: MergeJudged): Promise<MergeJudged> {
  const workPorts = ports.work;
  const tree = await workPorts.branches.treeOf(commit);
  const landed = tree === null ? judged : { ...judged, tree };
  const plan = (await workPorts.plan.read())?.plan;
  if (!plan) return landed;
  const standings = standingOf(plan, await readHolds(workPorts, ports.settings.work.plan.path, plan));
  return { ...landed, unlocked: [...unlockedBy(plan, standings, task.id)] };
}
