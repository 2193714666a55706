import { attemptMarker } from '../../../engine/attempt-folder.ts';
import type { Report } from '../../../engine/contracts.ts';
import type { PlanPorts, Ports } from '../../../engine/ports/ports.ts';
import type { PlanReading, PlanStore } from '../../../engine/ports/stores.ts';
import type { GitProblem, Merging } from '../../../engine/ports/task-branches.ts';
import type { RunGates } from '../../../journal/effects/effect.ts';
import type { Merge } from '../../../journal/effects/work-effect.ts';
import type { GateResult } from '../../../journal/events/gates.ts';
import type { MergeJudged, MergeProof, MergeProven } from '../../../journal/events/work.ts';
import type { Plan, PlanEdit } from '../../../journal/words/plan.ts';
import { TaskRegister } from '../../../journal/words/task-register.ts';
import { assertNever } from '../../../kit/pure/assert-never.ts';
import { oneLine } from '../../../kit/pure/text.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { taskSlug } from '../../../plans/graph/task-slug.ts';
import { openTemporaryFolder } from '../../../process/temporary-folder.ts';
import { checkOutputs, type OutputCheck } from '../../../proof/output-check.ts';
import { logNames, runGate } from '../../../proof/run-gates.ts';
import { keptRef, messageWithTrailer, runIdOf } from '../../../workspace/effects/scm-place.ts';
import { cutOff, mergeJudged } from './merge-judged.ts';

interface MergeWorld {
  readonly ports: PlanPorts;
  readonly report: Report;
}

/** One try: merges with the current base, judges the result, and lands it unless the base has moved meanwhile. The caller holds the merge lock. */
export async function mergeOnce(effect: Merge, { ports, report }: MergeWorld, signal: AbortSignal): Promise<MergeJudged> {
  const { branches, plan } = ports.work;
  const answer = await branches.merge({ head: effect.head, pathspecs: plan.pathspecs }, signal);
  switch (answer.kind) {
    case 'trouble':
      return signal.aborted ? cutOff(effect) : mergeJudged(effect, { result: 'failed', detail: answer.why });
    case 'conflict':
      return mergeJudged(effect, { result: 'conflict', conflicts: [...answer.paths], onto: answer.onto, detail: 'git cannot merge it' });
    case 'merging':
      return await proveAndLand(effect, { ports, report }, answer, signal);
    default:
      return assertNever(answer);
  }
}

async function proveAndLand(effect: Merge, world: MergeWorld, merging: Merging, signal: AbortSignal): Promise<MergeJudged> {
  const { ports } = world;
  const judged = await judge(effect, world, merging, signal);
  if (signal.aborted) return cutOff(effect);
  if ('kind' in judged) return mergeJudged(effect, { result: 'failed', detail: judged.why });
  if (!judged.isProven) return isOver(effect, ports) ? cutOff(effect) : await keptAsRed(effect, ports, merging, judged);
  const results = [...judged.results];
  if (await belongsToAnother(effect, ports)) return mergeJudged(effect, { result: 'failed', results, detail: 'somebody else has the task by now' });
  const written = await completeIn(ports.work.planIn(merging.planFolder), effect, ports.clock.nowMs());
  await world.report(mergeProven(effect, merging, judged));
  if (signal.aborted) return cutOff(effect);
  const landed = await land(effect, ports, merging, written.isWritten);
  const detail = [...written.notes, ...told(landed)].join('; ');
  const unwritten = written.isWritten ? {} : { unwritten: true as const };
  return mergeJudged(effect, { ...landed, results, detail, ...unwritten, ...(judged.proof && { proof: judged.proof }) });
}

/** The output of the gates is reported when the merge has landed. */
function mergeProven({ key, iteration }: Merge, { onto, tree }: Merging, { results, proof }: Judged): MergeProven {
  const silent = results.map((result) => ({ ...result, output: '' }));
  return { type: 'merge.proven', key, iteration, onto, tree, results: silent, ...(proof && { proof: { ...proof, results: [] } }) };
}

interface Seen {
  readonly results: readonly GateResult[];
  readonly outputs: OutputCheck;
}

interface Judged extends Seen {
  readonly proof: MergeProof | null;
  /** Whether it may land. */
  readonly isProven: boolean;
}

/** By its gates and outputs; if they are green, also by the proof, if one is required. */
async function judge(effect: Merge, { ports, report }: MergeWorld, merging: Merging, signal: AbortSignal): Promise<Judged | GitProblem> {
  const seen = await look(effect, ports, merging, signal);
  if ('kind' in seen) return seen;
  const isGreen = seen.outputs.missing.length === 0 && seen.results.every(({ green }) => green);
  const hasProof = effect.gates.length > 0 || effect.proof?.sealed !== undefined;
  if (!isGreen || signal.aborted || !hasProof || effect.proof === undefined) return { ...seen, proof: null, isProven: isGreen };
  const { proveMerged } = await import('./prove-merged.ts');
  const proof = await proveMerged(effect, ports, { merging, proof: effect.proof, results: seen.results, report }, signal);
  return 'kind' in proof ? proof : { ...seen, proof, isProven: proof.verdict === 'proven' || proof.allowed_by !== null };
}

/** Checks files of the merged tree; none for a tree that was green before and declares no outputs. Outputs are checked first, because a gate may create one. */
async function look(effect: Merge, ports: PlanPorts, merging: Merging, signal: AbortSignal): Promise<Seen | GitProblem> {
  // Only a clean checkout can prove a claim, and the agent's worktree is not one.
  const gates = merging.tree === effect.green_tree && effect.proof === undefined ? [] : effect.gates;
  if (gates.length === 0 && effect.task.outputs.length === 0) return { results: [], outputs: { missing: [], warnings: [] } };
  const files = await merging.checkOut(signal);
  if (files.kind === 'trouble') return files;
  const outputs = await checkOutputs(files.path, effect.task.outputs, merging.holds);
  return { outputs, results: await runMergedGates({ ...effect, gates }, ports, files.cwd, signal) };
}

/** A gate that was ended because the run's time is up has not failed. */
function isOver({ until }: Merge, { clock }: Ports): boolean {
  return until !== null && clock.nowMs() >= until;
}

async function keptAsRed(effect: Merge, { place }: Ports, merging: Merging, judged: Judged): Promise<MergeJudged> {
  const ref = keptRef(place, `${effect.iteration}-merge`);
  const trouble = await merging.keep(ref);
  const { results, outputs, proof } = judged;
  const detail = [...outputs.warnings, ...(trouble ? [`the merged result could not be kept: ${trouble.why}`] : [])].join('; ');
  return mergeJudged(effect, {
    result: proof?.verdict === 'held' ? 'held' : 'red',
    results: [...results],
    missing: [...outputs.missing],
    kept: trouble ? null : ref,
    detail,
    ...(proof && { proof }),
  });
}

/** A task that was reset while we held it may be done by another holder, and only that result counts. A resumed run holds it under a later number. */
async function belongsToAnother({ task, n }: Merge, ports: PlanPorts): Promise<boolean> {
  const found = await ports.work.registers.get(registerName(ports.settings.work.plan.path, task.id));
  if (found === null || found.n <= n) return false;
  const register = TaskRegister.safeParse(found.value).data;
  return register?.state !== 'held' || register.holder?.run !== runIdOf(ports.place);
}

type Landing = Pick<MergeJudged, 'result' | 'commit' | 'left_behind' | 'detail'>;

/** If the plan could not be written, the merge lands without that change: the register knows that the task is done. */
async function land({ task, n, iteration }: Merge, ports: PlanPorts, merging: Merging, withPlan: boolean): Promise<Landing> {
  const { branches, plan } = ports.work;
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

/** Runs all gates on the merged result, one after the other; none starts after an abort. */
async function runMergedGates(effect: Merge, ports: PlanPorts, cwd: string, signal: AbortSignal): Promise<readonly GateResult[]> {
  await using caches = await openTemporaryFolder('caches');
  const asGates = gatesOf(effect);
  const names = logNames(asGates);
  const marker = attemptMarker(ports.place, effect);
  const results: GateResult[] = [];
  for (const [index, gate] of effect.gates.entries()) {
    if (signal.aborted) break;
    results.push(await runGate({ gate, effect: asGates, cwd, logName: names[index] ?? '', marker, caches: caches.path }, ports, signal));
  }
  return results;
}

/** Iterations are numbered across all workers, and attempts within them, so no two merges of a run write the same log. */
function gatesOf({ key, iteration, attempt, gates, until }: Merge): RunGates {
  return {
    kind: 'run-gates',
    key,
    iteration,
    attempt,
    where: 'merged',
    gates,
    name_tree: false,
    keep_tree: false,
    phase: `merged${attempt}`,
    protect: null,
    tree: null,
    until,
  };
}

interface Written {
  readonly isWritten: boolean;
  /** What could not be written, and why. */
  readonly notes: readonly string[];
}

/** Marks the task as complete in the plan, with the agent's additions. */
async function completeIn(store: PlanStore, { task, edits }: Merge, nowMs: number): Promise<Written> {
  const reading = await store.read();
  if (reading === null) return not('it is not in the merged tree');
  if (reading.plan === null) return not('it cannot be read in the merged tree');
  const [status, ...others] = fittingEdits(reading.plan, [{ kind: 'status', id: task.id, status: 'complete', at_ms: nowMs }, ...edits]);
  if (status?.kind !== 'status') return not(`it no longer has a task ${oneLine(task.id)}`);
  const left = edits.length - others.length;
  const written = await writeAll(store, reading, { status, others });
  return left === 0 ? written : { ...written, notes: [`${left} edit(s) of the plan no longer fit it`, ...written.notes] };
}

/** Invalid additions of an agent must not prevent its task from being marked as complete. */
async function writeAll(store: PlanStore, reading: PlanReading, { status, others }: { status: PlanEdit; others: readonly PlanEdit[] }): Promise<Written> {
  const why = await write(store, reading, [status, ...others]);
  if (why === null) return { isWritten: true, notes: [] };
  if (others.length === 0 || (await write(store, reading, [status])) !== null) return not(why);
  return { isWritten: true, notes: [`what its agent added to the plan was not written: ${why}`] };
}

const not = (why: string): Written => ({ isWritten: false, notes: [`the plan was not written: ${why}`] });

/** Null when it was written, else why not. What the system refuses once may work at once afterwards; only a plan that says so is written. */
async function write(store: PlanStore, reading: PlanReading, edits: readonly PlanEdit[]): Promise<string | null> {
  const why = await writeOnce(store, reading, edits);
  const now = why === null ? null : await store.read().catch(() => null);
  if (now === null || now.plan === null) return why;
  const done = edits.flatMap((edit) => (edit.kind === 'status' ? [edit.id] : []));
  return now.plan.tasks.some(({ id, status }) => done.includes(id) && status === 'complete') ? null : await writeOnce(store, now, edits);
}

async function writeOnce(store: PlanStore, { digest }: PlanReading, edits: readonly PlanEdit[]): Promise<string | null> {
  try {
    return (await store.write(digest, edits)) === 'written' ? null : 'somebody has changed it';
  } catch (error) {
    return oneLine((error as Error).message);
  }
}

/**
 * The edits that still fit a plan that has changed: edited tasks exist, added ones do not, and all their dependencies exist. Any other edit
 * would leave a plan with problems, on which no run works.
 */
export function fittingEdits(plan: Plan, edits: readonly PlanEdit[]): readonly PlanEdit[] {
  const there = new Set(plan.tasks.map(({ id }) => id));
  const possible = edits.filter((edit) => (edit.kind === 'add' ? !there.has(edit.task.id) : there.has(edit.id)));
  return withAllTheyNeed(there, possible);
}

/** Leaving one out may require leaving out others. */
function withAllTheyNeed(there: ReadonlySet<string>, edits: readonly PlanEdit[]): readonly PlanEdit[] {
  const known = new Set([...there, ...edits.flatMap((edit) => (edit.kind === 'add' ? [edit.task.id] : []))]);
  const fitting = edits.filter((edit) => edit.kind !== 'add' || edit.task.needs.every((need) => known.has(need)));
  return fitting.length === edits.length ? fitting : withAllTheyNeed(there, fitting);
}
