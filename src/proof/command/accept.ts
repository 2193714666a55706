import { dirname, join } from 'node:path';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { withFatalResult } from '../../cli/shared/print-error.ts';
import { terminalRunOptions } from '../../cli/shared/terminal-run-options.ts';
import type { RunState } from '../../journal/state/state.ts';
import { howToResume } from '../../journal/words/outcome.ts';
import type { ChangedDecider } from '../../journal/words/proof.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { allowTask } from '../../plans/holds/hold-task.ts';
import { io, whoIsThere } from '../../process/io.ts';
import { findRun, type RunWithStatus, runsWithStatus, stateOfRun, unreadable } from '../../runs/manage/find-run.ts';
import type { AllowedClaim } from '../../runs/opened-run.ts';
import { resumeRun } from '../../runs/resume-run.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { factsOf, planPathOf, storeOfRun } from '../../settings/schema/recipe-facts.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import type { RunSummary } from '../../store/runs/run-summary.ts';
import { matcherOf } from '../deciders/globs.ts';
import { heldReason } from '../judge/proof-words.ts';

interface AcceptFlags {
  readonly task?: readonly string[];
  readonly path?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const EVERYWHERE = { root: null, project: null, task: null };

interface HeldIn {
  readonly run: string;
  readonly sight: RunSummary;
  readonly isAtWork: boolean;
  /** The path of its plan; undefined: it has none. */
  readonly plan: string | undefined;
  /** Where its fleet meets; undefined: it has none. */
  readonly store: WorkSpec['store'];
  readonly claims: readonly ClaimInWaiting[];
}

/** Shows what is held, with its paths. Unless `--dry-run` is set, it then allows the claim and resumes the run. */
export async function acceptCommand(wanted: string | null, flags: AcceptFlags): Promise<number> {
  refuseAgents();
  const held = await heldIn(await runWithClaims(wanted), flags.task ?? []);
  const { run, claims } = held;
  for (const { changed } of claims) refuseOtherPaths(changed, flags.path ?? []);
  if (flags.dryRun || !flags.json) for (const claim of claims) tellHeld(run, claim, flags);
  if (flags.dryRun) return 0;
  const by = whoIsThere();
  if (held.plan !== undefined) await allowTasks(held, held.plan, by);
  if (held.isAtWork) return tellGoesOn(held, flags);
  const said = claims.map(({ iteration, task, changed }) => {
    return { type: 'claim.allowed' as const, iteration, ...(task !== null && { task }), paths: changed.map(({ path }) => path), by };
  });
  const goOn = async (onStarted: (runFolder: string) => void) => {
    const { outcome, view, runFolder } = await resumeRun({ ...terminalRunOptions(flags, onStarted), run, said, ...allowedOf(claims) });
    if (flags.json) io().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
    return outcome.exit_code;
  };
  return await (flags.json ? withFatalResult(goOn) : goOn(() => undefined));
}

/** An agent must not allow what an agent has changed. */
function refuseAgents(): void {
  if (environment()['RALPH_RUN_ID'] === undefined) return;
  throw new OperatorError('accepts-itself', 'a held claim waits for a person, and this is an agent of a run', {
    hint: 'Leave it to the people who run it.',
    exitCode: 2,
  });
}

/** The named run, or the newest held one of this directory. */
async function runWithClaims(wanted: string | null): Promise<RunWithStatus> {
  const cwd = currentDirectory();
  if (wanted !== null) return await findRun(cwd, wanted, EVERYWHERE);
  const held = (await runsWithStatus(cwd, EVERYWHERE)).find(({ sight }) => sight.kind === 'run' && sight.cwd === cwd && sight.stopped?.stop_reason === 'held');
  if (held !== undefined) return held;
  throw new OperatorError('nothing-held', 'no run here waits for its claim to be accepted', { hint: 'ralph runs list shows how they ended.', exitCode: 2 });
}

async function heldIn({ sight, state }: RunWithStatus, tasks: readonly string[]): Promise<HeldIn> {
  if (sight.kind === 'unreadable') throw unreadable(sight);
  const { run } = sight;
  const now = await stateOfRun(sight);
  const plan = planPathOf(now?.run?.settings);
  const isAtWork = state === 'running';
  if (isAtWork && plan === undefined) {
    throw new OperatorError('run-busy', `run ${run} is at work`, { hint: `Stop it first with: ralph runs stop ${run}`, exitCode: 2 });
  }
  return { run, sight, isAtWork, plan, store: storeOfRun(now?.run?.settings), claims: chosenClaims(run, now === null ? [] : heldClaims(now), tasks) };
}

/** Records in the registers that the claim may pass, for whichever run takes the task. */
async function allowTasks({ run, sight, claims, store }: HeldIn, plan: string, by: string): Promise<void> {
  const files = () => openFileRegisters(join(dirname(dirname(sight.folder)), 'registers'));
  const registers = store === undefined ? files() : await (await import('../../fleet/join-fleet.ts')).registersOfRun(store, environment());
  for (const { task } of claims) {
    const allowed = await allowTask({ registers, livenessOf: () => 'unknown' }, { planPath: plan, task: task ?? '', nowMs: Date.now(), by });
    if (allowed !== null) continue;
    throw new OperatorError('nothing-held', `task ${task} does not wait for a person any more`, {
      hint: `Somebody has accepted or reset it. Go on with: ${howToResume(run)}`,
      exitCode: 2,
    });
  }
}

function tellGoesOn({ run, claims }: HeldIn, { json = false }: AcceptFlags): number {
  const tasks = claims.map(({ task }) => task);
  io().stdout.write(
    json ? `${JSON.stringify({ run_id: run, accepted: tasks })}\n` : `Run ${run} is at work and merges ${printable(tasks.join(', '))} as it goes on\n`,
  );
  return 0;
}

/** Tasks and stories have branches of their own. */
function allowedOf([claim]: readonly ClaimInWaiting[]): { readonly allowed?: AllowedClaim } {
  return claim === undefined || claim.task !== null || claim.tree === null ? {} : { allowed: { iteration: claim.iteration, tree: claim.tree } };
}

function refuseOtherPaths(changed: readonly { readonly path: string }[], globs: readonly string[]): void {
  if (globs.length === 0) return;
  const isMeant = matcherOf(globs);
  const other = changed.find(({ path }) => !isMeant(path));
  if (other === undefined) return;
  throw new OperatorError('other-paths', `the claim also changes ${other.path}, which no --path names`, { hint: 'Look at it with --dry-run.', exitCode: 3 });
}

function tellHeld(run: string, { iteration, task, tree, changed, reason }: ClaimInWaiting, { dryRun = false, json = false }: AcceptFlags): void {
  if (json) return void io().stdout.write(`${JSON.stringify({ run_id: run, iteration, ...(task !== null && { task }), tree, changed })}\n`);
  const what = task === null ? `iteration ${iteration}` : task;
  const lines = [`Run ${run}, ${what}: ${reason}`];
  const all = [...lines, ...changed.map(({ path, why }) => `  ${path}: ${why}`), ...(dryRun ? [`See them with: ralph diff ${run}`] : [])];
  io().stdout.write(all.map((line) => `${printable(line)}\n`).join(''));
}

/** A claim that waits for a person. */
interface ClaimInWaiting {
  /** The task or story it is about; null: the run as a whole. */
  readonly task: string | null;
  readonly iteration: number;
  readonly tree: string | null;
  readonly changed: readonly ChangedDecider[];
  readonly reason: string;
}

/** All claims that a run holds for a person, in order. */
function heldClaims({ run, tasks, questions, unacceptedClaims }: RunState): readonly ClaimInWaiting[] {
  if (factsOf(run?.settings).hasTasks) {
    const parked = tasks.proofs?.filter(({ isParked }) => isParked) ?? [];
    return parked.map(({ task, iteration, proof: { tree, changed, reason } }) => ({ task, iteration, tree, changed, reason }));
  }
  if (factsOf(run?.settings).hasItems) {
    const open = questions.filter(({ answer, held }) => answer === null && held !== undefined);
    return open.map(({ task, iteration, held }) => {
      const changed = held?.changed ?? [];
      return {
        task,
        iteration,
        tree: held?.tree ?? null,
        changed,
        reason: heldReason(changed),
      };
    });
  }
  const last = unacceptedClaims.at(-1);
  if (last?.proof.judged.verdict !== 'held') return [];
  const { changed, reason } = last.proof.judged;
  return [{ task: null, iteration: last.iteration, tree: last.proof.tree, changed, reason }];
}

/** The named claims; without a name the only one. */
function chosenClaims(run: string, claims: readonly ClaimInWaiting[], names: readonly string[]): readonly ClaimInWaiting[] {
  const unknown = names.find((name) => !claims.some(({ task }) => task === name));
  if (claims.length === 0 || unknown !== undefined) {
    const what = unknown === undefined ? 'has no claim that is held' : `holds no claim of ${unknown}`;
    throw new OperatorError('nothing-held', `run ${run} ${what}`, { hint: `ralph runs show ${run} shows how it stands.`, exitCode: 2 });
  }
  if (names.length > 0) return claims.filter(({ task }) => task !== null && names.includes(task));
  if (claims.length === 1) return claims;
  const all = claims.map(({ task }) => task).join(', ');
  throw new OperatorError('several-held', `run ${run} holds ${claims.length} claims: ${all}`, { hint: 'Name those that may pass with --task.', exitCode: 2 });
}
