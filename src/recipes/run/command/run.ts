import { withFatalResult } from '../../../cli/shared/print-error.ts';
import { promptFrom, type RunFlags, refuseFlagsWithResume, settingsFromOptions } from '../../../cli/shared/run-flags.ts';
import { io } from '../../../process/io.ts';
import type { FinishedRun } from '../../../runs/run-options.ts';
import { requestedSettings } from '../../../settings/requested-settings.ts';
import { shownRunOptions } from '../../../watch/command/shown-run.ts';
import { startRun } from '../start/start-run.ts';

export function runCommand(text: string | null, options: RunFlags): Promise<number> {
  return options.json ? withFatalResult((onStarted) => run(text, options, onStarted)) : run(text, options, () => undefined);
}

async function run(text: string | null, options: RunFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const around = shownRunOptions(options, onStarted);
  if (options.resume !== undefined) {
    const { resume, json, quiet, verbose, ui, watch, plain, ...others } = options;
    refuseFlagsWithResume(others, text === null ? null : 'a prompt');
    const { resumeRun } = await import('../../../runs/resume-run.ts');
    return report(await resumeRun({ ...around, run: resume === true ? null : resume }), options);
  }
  const request = { ...around, over: settingsFromOptions(options), prompt: await promptFrom({ ...options, text }) };
  if (!options.dryRun) return report(await startRun(request), options);
  const { settings } = await requestedSettings(request);
  return await (await import('./dry-run.ts')).dryRun({ settings, cwd: around.cwd, json: options.json === true });
}

function report({ outcome, view, runFolder }: FinishedRun, { json }: RunFlags): number {
  if (json) io().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  return outcome.exit_code;
}
