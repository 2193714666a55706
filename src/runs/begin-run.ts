import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../kit/async/scope.ts';
import { VERSION } from '../kit/files/version.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { type StartState, startState } from '../settings/check-settings.ts';
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
  /** Where the operator started it, if that is not the workspace. */
  readonly origin?: string;
  /** The folder of the run, if it is not among those of the workspace. It exists, with its inbox. */
  readonly runFolder?: string;
  /** Refuses a start from this state. */
  readonly check?: (found: StartState) => void;
}

/** Creates the folder of a run whose workspace is already locked, writes the first journal line, and drives the run to its end. Every recipe starts here. */
export async function beginRun({ run, workspace, clock, options, settings, sources, ...given }: NewRun, scope: Scope): Promise<FinishedRun> {
  const { cwd, home } = workspace;
  refuseOtherAddress(settings.otel);
  const { origin = cwd, runFolder = await makeRunFolder(join(home.runsFolder, run)) } = given;
  const found = await startState(workspace, settings);
  given.check?.(found);
  const journal = await openFileJournal(join(runFolder, 'journal.jsonl'));
  scope.defer(() => journal.close());
  const opening = { type: 'run.started' as const, run, ralph: VERSION, cwd, origin, settings, sources: [...sources], found, writer: thisProcess() };
  const { driveRun: goOn } = await import('./drive-run.ts');
  return await goOn({ workspace, runFolder, journal, clock, settings, options, opening });
}

function refuseOtherAddress(collector: string | undefined): void {
  if (collector === undefined || /^https?:\/\/[^@\s]+$/.test(collector)) return;
  throw new OperatorError('usage', 'otel must be an address that begins with http:// or https:// and has no password', {
    hint: 'For example: --otel http://localhost:4318, and a key in OTEL_EXPORTER_OTLP_HEADERS.',
    exitCode: 2,
  });
}

async function makeRunFolder(runFolder: string): Promise<string> {
  await mkdir(join(runFolder, 'inbox'), { recursive: true, mode: 0o700 });
  return runFolder;
}
