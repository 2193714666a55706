import { withFatalResult } from '../../../cli/shared/print-error.ts';
import { io } from '../../../process/io.ts';
import type { FinishedRun } from '../../../runs/run-options.ts';
import { shownRunOptions } from '../../../watch/command/shown-run.ts';
import { startSupervise } from '../start/start-root.ts';
import type { SuperviseFlags } from './root-flags.ts';
import { superviseRequestFromFlags } from './root-request-from-flags.ts';

export function superviseCommand(command: readonly string[], flags: SuperviseFlags): Promise<number> {
  return flags.json ? withFatalResult((onStarted) => supervise(command, flags, onStarted)) : supervise(command, flags, () => undefined);
}

async function supervise(command: readonly string[], flags: SuperviseFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const request = await superviseRequestFromFlags(command, flags);
  return report(await startSupervise({ ...shownRunOptions(flags, onStarted), ...request }), flags);
}

function report({ outcome, view, runFolder }: FinishedRun, { json }: SuperviseFlags): number {
  if (json) io().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}
