import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openScope } from '../../../kit/async/scope.ts';
import { explaining } from '../../../kit/files/explaining.ts';
import { VERSION } from '../../../kit/files/version.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { type FinishedRun, type RunOptions, warner } from '../../../runs/run-options.ts';
import { withWall } from '../../../runs/sandbox/choose-wall.ts';
import { thisWriter } from '../../../runs/this-writer.ts';
import { checkAgent } from '../../../settings/agent-of.ts';
import { type Found, findings } from '../../../settings/check-settings.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { type WantedLoop, wantedLoop } from '../../../settings/wanted-loop.ts';
import { type WantedRun, type WantedSettings, wantedSettings } from '../../../settings/wanted-settings.ts';
import { openSystemClock } from '../../../store/clock.ts';
import { openFileJournal } from '../../../store/journal-file.ts';
import { newRunId } from '../../../store/run-home.ts';
import { checkScm } from '../../../workspace/check-scm.ts';
import { openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import type { OwnPlaceWish } from '../../../workspace/worktrees/own-worktree.ts';

export type StartOptions = RunOptions & WantedRun;

/** Starts a new run in a workspace and drives it to its end. */
export function startRun(options: StartOptions): Promise<FinishedRun> {
  return startWith(options, () => wantedSettings(options));
}

/** The common part of runs and loops, whose settings are made differently. */
function startWith(options: RunOptions, wanted: () => Promise<WantedSettings>): Promise<FinishedRun> {
  return explaining(async () => await start(options, await wanted()));
}

async function start(options: RunOptions, asked: WantedSettings): Promise<FinishedRun> {
  await using scope = openScope();
  const origin = await openWorkspace(options.cwd, scope);
  const refuse = async (settings: RunSettings) => {
    refuseWithoutGit(settings.requireChange, origin.git !== null);
    await checkAgent(settings, origin);
  };
  const wanted = { ...asked, settings: await withWall(asked.settings, origin, refuse) };
  await refuse(wanted.settings);
  await refuseUnusableSealed(wanted.settings, origin);
  const clock = openSystemClock();
  const run = newRunId(clock.nowMs());
  const { workspace, settings } = await takePlace(origin, wanted, { run, scope, signal: options.signal, warn: warner(options) });
  const runFolder = join(workspace.home.runsFolder, run);
  await mkdir(join(runFolder, 'inbox'), { recursive: true, mode: 0o700 });
  const found = await findings(workspace, settings);
  refuseWithoutTree(settings.requireChange, found);
  refuseSealedWithoutTree(settings, found);
  const journal = await openFileJournal(join(runFolder, 'journal.jsonl'));
  scope.defer(() => journal.close());
  const { goOn } = await import('../../../runs/go-on.ts');
  return await goOn({
    workspace,
    runFolder,
    journal,
    clock,
    settings,
    options,
    opening: {
      type: 'run.started',
      run,
      ralph: VERSION,
      cwd: workspace.cwd,
      origin: options.cwd,
      settings,
      sources: [...wanted.sources],
      found,
      writer: thisWriter(),
    },
  });
}

interface Taken {
  readonly workspace: Workspace;
  readonly settings: RunSettings;
}

/** The workspace of the operator, or a worktree for the run. If the worktree cannot be made, the start fails: the operator's files are never a fallback. */
async function takePlace(
  origin: Workspace,
  { settings, worktree: wanted }: WantedSettings,
  hand: Omit<OwnPlaceWish, 'wanted' | 'check' | 'behind'>,
): Promise<Taken> {
  if (wanted === null) {
    await checkScm(settings, origin);
    await origin.hold(hand.run);
    return { workspace: origin, settings };
  }
  const check = async (workspace: Workspace) => {
    await checkAgent(settings, workspace);
    await checkScm(settings, workspace);
  };
  const [{ behindSetup }, { openOwnPlace }] = await Promise.all([
    import('../../../runs/sandbox/open-walls.ts'),
    import('../../../workspace/worktrees/own-worktree.ts'),
  ]);
  const behind = wanted.setup === null ? null : await behindSetup(origin, settings, hand);
  const { workspace, worktree } = await openOwnPlace(origin, { ...hand, wanted, check, behind });
  return { workspace, settings: { ...settings, loop: settings.loop && { ...settings.loop, worktree } } };
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

function refuseWithoutTree(requireChange: boolean, found: Found): void {
  if (!requireChange || found === null || found.tree !== null) return;
  throw new OperatorError('git-required', `--require-change cannot see a change here: ${found.problem ?? 'git cannot name the working copy'}`, {
    hint: 'Fix what git complains about, or leave --require-change out.',
    exitCode: 4,
  });
}

function refuseSealedWithoutTree({ proof }: RunSettings, found: Found): void {
  if (proof?.sealed === undefined || found?.tree != null) return;
  throw new OperatorError('git-required', `sealed checks need a copy of the work: ${found?.problem ?? 'git cannot name the working copy'}`, {
    hint: 'Fix what git complains about, or leave --sealed out.',
    exitCode: 2,
  });
}

export type LoopOptions = RunOptions & WantedLoop;

/** Starts a loop: the same recipe as a run, with the settings of seed 004. */
export function startLoop(options: LoopOptions): Promise<FinishedRun> {
  return startWith(options, () => wantedLoop(options));
}
