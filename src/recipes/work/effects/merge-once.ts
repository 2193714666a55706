import { registerName } from '../../../plans/graph/register-name.ts';
import { taskSlug } from '../../../plans/graph/task-slug.ts';
import { assertNever } from '../../../kit/pure/assert-never.ts';
import { oneLine } from '../../../kit/pure/one-line.ts';
import type { GateResult } from '../../../journal/events/gates.ts';
import type { MergeJudged } from '../../../journal/events/work.ts';
import { TaskRegister } from '../../../journal/words/task-register.ts';
import type { Merge } from '../../../journal/effects/work-effect.ts';
import { crewOf, workSpecOf } from './crew-of.ts';
import { keptRef } from '../../../workspace/effects/kept-ref.ts';
import { checkOutputs, type OutputCheck } from '../../../proof/output-check.ts';
import type { Ports } from '../../../engine/ports/ports.ts';
import type { Merging } from '../../../engine/ports/task-branches.ts';
import { messageWithTrailer, runIdOf } from '../../../workspace/effects/run-trailer.ts';
import { runMergedGates } from './merge-gates.ts';
import { cutOff, mergeJudged } from './merge-judged.ts';
import { openMergedPlan } from './merge-plan.ts';

/** One try: merged with the base as it is now, looked at, and landed unless somebody has moved the base meanwhile. The seat is ours. */
export async function mergeOnce(effect: Merge, ports: Ports, signal: AbortSignal): Promise<MergeJudged> {
  const { branches, plan } = crewOf(ports);
  const answer = await branches.merge({ head: effect.head, pathspecs: plan.pathspecs }, signal);
  switch (answer.kind) {
    case 'trouble':
      return signal.aborted ? cutOff(effect) : mergeJudged(effect, { result: 'failed', detail: answer.why });
    case 'conflict':
      return mergeJudged(effect, { result: 'conflict', conflicts: [...answer.paths], detail: 'git cannot merge it' });
    case 'merging': {
      await using merging = answer;
      return await proveAndLand(effect, ports, merging, signal);
    }
    default:
      return assertNever(answer);
  }
}

/** What the tree itself says is read before a gate has touched anything: a gate may make an output, or write into the plan. */
async function proveAndLand(effect: Merge, ports: Ports, merging: Merging, signal: AbortSignal): Promise<MergeJudged> {
  const plan = await openMergedPlan(crewOf(ports).planIn(merging.path));
  const outputs = await checkOutputs(merging.path, effect.task.outputs, merging.holds);
  const results = merging.tree === effect.green_tree ? [] : await runMergedGates(effect, ports, merging, signal);
  const isGreen = outputs.missing.length === 0 && results.every(({ green }) => green);
  if (signal.aborted || (!isGreen && isOver(effect, ports))) return cutOff(effect);
  if (!isGreen) return await keptAsRed(effect, ports, merging, { results, outputs });
  if (await isSomebodyElses(effect, ports))
    return mergeJudged(effect, { result: 'failed', results: [...results], detail: 'somebody else has the task by now' });
  const written = await plan.complete(effect, ports.clock.nowMs());
  const landed = await land(effect, ports, merging, written.isWritten);
  return mergeJudged(effect, { ...landed, results: [...results], detail: [...written.notes, ...told(landed)].join('; ') });
}

/** A gate that was ended because the whole run's time is up has not said no. */
function isOver({ until }: Merge, { clock }: Ports): boolean {
  return until !== null && clock.nowMs() >= until;
}

async function keptAsRed(
  effect: Merge,
  { place }: Ports,
  merging: Merging,
  seen: { results: readonly GateResult[]; outputs: OutputCheck },
): Promise<MergeJudged> {
  const ref = keptRef(place, `${effect.iteration}-merge`);
  const trouble = await merging.keep(ref);
  const { results, outputs } = seen;
  const detail = [...outputs.warnings, ...(trouble ? [`the merged result could not be kept: ${trouble.why}`] : [])].join('; ');
  return mergeJudged(effect, { result: 'red', results: [...results], missing: [...outputs.missing], kept: trouble ? null : ref, detail });
}

/** A task that was reset while we had it may be done by another one now, and only that one's result counts. A run that goes on has it under a later number. */
async function isSomebodyElses({ task, n }: Merge, ports: Ports): Promise<boolean> {
  const found = await crewOf(ports).registers.get(registerName(workSpecOf(ports).plan.path, task.id));
  if (found === null || found.n <= n) return false;
  const register = TaskRegister.safeParse(found.value).data;
  return register?.state !== 'held' || register.holder?.run !== runIdOf(ports.place);
}

type Landing = Pick<MergeJudged, 'result' | 'commit' | 'left_behind' | 'detail'>;

/** A plan that could not be written lands as it was merged, whatever a gate has made of its file: the register knows that the task is done. */
async function land({ task, n, iteration }: Merge, ports: Ports, merging: Merging, withPlan: boolean): Promise<Landing> {
  const { branches, plan } = crewOf(ports);
  const message = messageWithTrailer(`Merge task ${oneLine(task.id)}: ${oneLine(task.title)}`, ports.place, iteration);
  const answer = await merging.land({ task: taskSlug(task.id), n, message, pathspecs: withPlan ? plan.pathspecs : [] });
  switch (answer.kind) {
    case 'landed':
      return { result: 'merged', commit: answer.commit, left_behind: await branches.follow(), detail: '' };
    case 'moved':
      return { result: 'moved', commit: null, left_behind: null, detail: 'the base was moved by somebody else again and again' };
    case 'trouble':
      return { result: 'failed', commit: null, left_behind: null, detail: answer.why };
    default:
      return assertNever(answer);
  }
}

const told = ({ detail }: Landing): readonly string[] => (detail === '' ? [] : [detail]);
