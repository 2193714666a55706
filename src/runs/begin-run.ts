import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../kit/async/scope.ts';
import { VERSION } from '../kit/files/version.ts';
import { startState } from '../settings/check-settings.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { openFileJournal } from '../store/journal-file.ts';
import type { OpenedRun } from './opened-run.ts';
import type { FinishedRun } from './run-options.ts';
import { thisProcess } from './this-process.ts';

interface NewRun extends Pick<OpenedRun, 'workspace' | 'clock' | 'options'> {
  readonly run: string;
  readonly settings: RunSettings;
  /** The settings files that exist. */
  readonly sources: readonly string[];
}

/** Creates the folder of a run whose workspace is already locked, writes the first journal line, and drives the run to its end. */
export async function beginRun({ run, workspace, clock, options, settings, sources }: NewRun, scope: Scope): Promise<FinishedRun> {
  const { cwd, home } = workspace;
  const runFolder = join(home.runsFolder, run);
  await mkdir(join(runFolder, 'inbox'), { recursive: true, mode: 0o700 });
  const journal = await openFileJournal(join(runFolder, 'journal.jsonl'));
  scope.defer(() => journal.close());
  const found = await startState(workspace, settings);
  const opening = { type: 'run.started' as const, run, ralph: VERSION, cwd, origin: cwd, settings, found, writer: thisProcess(), sources: [...sources] };
  const { driveRun: goOn } = await import('./drive-run.ts');
  return await goOn({ workspace, runFolder, journal, clock, settings, options, opening });
}
