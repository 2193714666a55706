import { openScope } from '../../../kit/async/scope.ts';
import { OperatorError, withOperatorErrors } from '../../../kit/pure/operator-error.ts';
import { type FinishedRun, type RunOptions, warnFunctionOf } from '../../../runs/run-options.ts';
import { withSandbox } from '../../../runs/sandbox/choose-sandbox.ts';
import { withUsableAgents } from '../../../settings/agent-list.ts';
import { checkAgent } from '../../../settings/agent-of.ts';
import type { StartState } from '../../../settings/check-settings.ts';
import { type RequestedLoop, requestedLoop } from '../../../settings/requested-loop.ts';
import { type RequestedRun, type RequestedSettings, requestedSettings } from '../../../settings/requested-settings.ts';
import { withOwnWorktree } from '../../../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { openSystemClock } from '../../../store/clock.ts';
import { newRunId } from '../../../store/run-home.ts';
import { checkScm } from '../../../workspace/check-scm.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import type { OwnWorktreeRequest } from '../../../workspace/worktrees/own-worktree.ts';

export type StartOptions = RunOptions & RequestedRun;

/** Starts a new run in a workspace and drives it to its end. */
export function startRun(options: StartOptions): Promise<FinishedRun> {
  return startWith(options, () => requestedSettings(options));
}

/** The common part of runs and loops, whose settings are made differently. */
function startWith(options: RunOptions, wanted: () => Promise<RequestedSettings>): Promise<FinishedRun> {
  return withOperatorErrors(async () => {
    const finished = await start(options, await wanted());
    return await (await import('../../../runs/land-run.ts')).landAtEnd(finished, options);
  });
}

async function start(options: RunOptions, asked: RequestedSettings): Promise<FinishedRun> {
  await using scope = openScope();
  const origin = await openWorkspace(options.cwd, scope);
  const refuse = async (settings: RunSettings) => {
    refuseWithoutGit(settings.requireChange, origin.git !== null);
    await withUsableAgents(settings, origin, () => undefined);
  };
  const sandboxed = await withSandbox(asked.settings, origin, refuse);
  await refuse(sandboxed);
  const usable = await withUsableAgents(sandboxed, origin, warnFunctionOf(options));
  await refuseUnusableSealed(usable, origin);
  // Only a run that is not refused until here needs the rest.
  const [{ preflight }, { beginRun }] = await Promise.all([import('../../../runs/preflight/preflight.ts'), import('../../../runs/begin-run.ts')]);
  const wanted = { ...asked, settings: await preflight(usable, origin, options) };
  const clock = openSystemClock();
  const run = newRunId(clock.nowMs());
  const { workspace, settings } = await takePlace(origin, wanted, { run, scope, signal: options.signal, warn: warnFunctionOf(options) });
  const check = (found: StartState) => {
    refuseWithoutTree(settings.requireChange, found);
    refuseSealedWithoutTree(settings, found);
  };
  return await beginRun({ run, workspace, clock, options, settings, sources: wanted.sources, origin: options.cwd, check }, scope);
}

interface Taken {
  readonly workspace: Workspace;
  readonly settings: RunSettings;
}

/** The workspace of the operator, or a worktree for the run. If the worktree cannot be made, the start fails: the operator's files are never a fallback. */
async function takePlace(
  origin: Workspace,
  { settings, worktree: wanted, landing: when }: RequestedSettings,
  hand: Omit<OwnWorktreeRequest, 'wanted' | 'check' | 'behind'>,
): Promise<Taken> {
  if (wanted === null) {
    await checkScm(settings, origin);
    await origin.hold(hand.run);
    return { workspace: origin, settings };
  }
  const landing = when === 'each' ? null : { when, into: await (await import('../../../workspace/worktrees/landing.ts')).branchToFollow(origin, settings) };
  const check = async (workspace: Workspace) => {
    await checkAgent(settings, workspace);
    await checkScm(settings, workspace);
  };
  const [{ setupSandbox: behindSetup }, { openOwnPlace }] = await Promise.all([
    import('../../../runs/sandbox/open-sandboxes.ts'),
    import('../../../workspace/worktrees/own-worktree.ts'),
  ]);
  const behind = wanted.setup === null ? null : await behindSetup(origin, settings, hand);
  const { workspace, worktree } = await openOwnPlace(origin, { ...hand, wanted, check, behind });
  if (landing !== null) return { workspace, settings: { ...settings, landing: { ...landing, worktree } } };
  return { workspace, settings: withOwnWorktree(settings, worktree) };
}

/** Loaded only with sealed checks. */
async function refuseUnusableSealed(settings: RunSettings, { git }: Workspace): Promise<void> {
  if (settings.proof?.sealed !== undefined) (await import('../../../proof/prove/sealed-folder.ts')).checkSealed(settings, git);
}

function refuseWithoutGit(requireChange: boolean, isRepository: boolean): void {
  if (!requireChange || isRepository) return;
  throw new OperatorError('git-required', '--require-change needs a git repository', {
    hint: 'Run `git init`, or leave --require-change out.',
    exitCode: 4,
  });
}

function refuseWithoutTree(requireChange: boolean, found: StartState): void {
  if (!requireChange || found === null || found.tree !== null) return;
  throw new OperatorError('git-required', `--require-change cannot see a change here: ${found.problem ?? 'git cannot name the working copy'}`, {
    hint: 'Fix what git complains about, or leave --require-change out.',
    exitCode: 4,
  });
}

function refuseSealedWithoutTree({ proof }: RunSettings, found: StartState): void {
  if (proof?.sealed === undefined || found?.tree != null) return;
  throw new OperatorError('git-required', `sealed checks need a copy of the work: ${found?.problem ?? 'git cannot name the working copy'}`, {
    hint: 'Fix what git complains about, or leave --sealed out.',
    exitCode: 2,
  });
}

export type LoopOptions = RunOptions & RequestedLoop;

/** Starts a loop: the same recipe as a run, with the settings of seed 004. */
export function startLoop(options: LoopOptions): Promise<FinishedRun> {
  return startWith(options, () => requestedLoop(options));
}
