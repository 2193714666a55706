import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSystemClock } from '../adapters/clock-system.ts';
import { openFileJournal } from '../adapters/journal-file.ts';
import type { Snapshot } from '../engine/ports/git.ts';
import { openScope } from '../kit/async/scope.ts';
import { OperatorError } from '../model/operator-error.ts';
import { checkAgent } from './check-agent.ts';
import { checkScm } from './check-scm.ts';
import { explaining } from './explaining.ts';
import { goOn } from './go-on.ts';
import { newRunId } from './run-home.ts';
import type { FinishedRun, RunOptions } from './run-options.ts';
import { thisWriter } from './this-writer.ts';
import { VERSION } from './version.ts';
import { type WantedRun, wantedSettings } from './wanted-settings.ts';
import { openWorkspace } from './workspace.ts';

export type StartOptions = RunOptions & WantedRun;

/** Of what was dirty before; the count is kept whole. */
const REMEMBERED_PATHS = 100;

/** Starts a new run in a workspace and drives it to its end. */
export function startRun(options: StartOptions): Promise<FinishedRun> {
  return explaining(() => start(options));
}

async function start(options: StartOptions): Promise<FinishedRun> {
  const { settings, sources } = await wantedSettings(options);
  await using scope = openScope();
  const workspace = await openWorkspace(options.cwd, scope);
  refuseWithoutGit(settings.requireChange, workspace.git !== null);
  await checkAgent(settings, workspace);
  await checkScm(settings, workspace);
  const clock = openSystemClock();
  const run = newRunId(clock.nowMs());
  await workspace.hold(run);
  const runFolder = join(workspace.home.runsFolder, run);
  await mkdir(join(runFolder, 'inbox'), { recursive: true, mode: 0o700 });
  const found = (await workspace.git?.snapshot()) ?? null;
  refuseWithoutTree(settings.requireChange, found);
  const journal = await openFileJournal(join(runFolder, 'journal.jsonl'));
  scope.defer(() => journal.close());
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
      cwd: options.cwd,
      settings,
      sources: [...sources],
      found: found && { ...found, dirty: found.dirty.slice(0, REMEMBERED_PATHS), dirty_count: found.dirty.length },
      writer: thisWriter(),
    },
  });
}

function refuseWithoutGit(requireChange: boolean, isRepository: boolean): void {
  if (!requireChange || isRepository) return;
  throw new OperatorError('git-required', '--require-change needs a git repository to see a change in', {
    hint: 'Run `git init`, or leave --require-change out.',
    exitCode: 4,
  });
}

function refuseWithoutTree(requireChange: boolean, found: Snapshot | null): void {
  if (!requireChange || found === null || found.tree !== null) return;
  throw new OperatorError('git-required', `--require-change cannot see a change here: ${found.problem ?? 'git cannot name the working copy'}`, {
    hint: 'Mend what git complains about, or leave --require-change out.',
    exitCode: 4,
  });
}
