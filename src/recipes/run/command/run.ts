import { withFatalResult } from '../../../cli/shared/print-error.ts';
import { promptFrom, type RunFlags, refuseFlagsWithResume, settingsFromOptions } from '../../../cli/shared/run-flags.ts';
import { terminalRunOptions } from '../../../cli/shared/terminal-run-options.ts';
import { io } from '../../../process/io.ts';
import type { FinishedRun } from '../../../runs/run-options.ts';
import { requestedSettings } from '../../../settings/requested-settings.ts';
import { startRun } from '../start/start-run.ts';

export function runCommand(options: RunFlags): Promise<number> {
  return options.json ? withFatalResult((onStarted) => run(options, onStarted)) : run(options, () => undefined);
}

async function run(options: RunFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const around = terminalRunOptions(options, onStarted);
  if (options.resume !== undefined) {
    const { resume, json, quiet, verbose, ...others } = options;
    refuseFlagsWithResume(others);
    const { resumeRun } = await import('../../../runs/resume-run.ts');
    return report(await resumeRun({ ...around, run: resume === true ? null : resume }), options);
  }
  const over = settingsFromOptions(options);
  const request = { ...around, over, prompt: await promptFrom(options), requireProof: options.requireProof === true };
  if (!options.dryRun) return report(await startRun(request), options);
  const { settings } = await requestedSettings(request);
  return await (await import('./dry-run.ts')).dryRun({ settings, cwd: around.cwd, json: options.json === true });
}

function report({ outcome, view, runFolder }: FinishedRun, { json }: RunFlags): number {
  if (json) io().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}
