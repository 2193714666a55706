import { surroundings } from '../../../process/surroundings.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { FinishedRun } from '../../../runs/run-options.ts';
import { startLoop } from '../start/start-loop.ts';
import { type WantedLoop, wantedLoop } from '../../../settings/wanted-loop.ts';
import type { LoopFlags } from './loop-flags.ts';
import { refuseBesideResume } from '../../../cli/shared/refuse-beside-resume.ts';
import { putReport, type ReportPlace, reportPlace } from './report-place.ts';
import { settingsFromLoopFlags } from './settings-from-loop-flags.ts';
import { aroundRun, tellWarning } from '../../../cli/shared/around-run.ts';
import { withFatalResult } from '../../../cli/shared/fatal-result.ts';

export function loopCommand(task: string | null, flags: LoopFlags): Promise<number> {
  return flags.json ? withFatalResult((onStarted) => loop(task, flags, onStarted)) : loop(task, flags, () => undefined);
}

async function loop(task: string | null, flags: LoopFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const around = aroundRun(flags, onStarted);
  const place = reportPlace(flags, around.cwd);
  if (flags.resume !== undefined) {
    const { resume, json, quiet, verbose, report, reportFile, ...others } = flags;
    refuseBesideResume(others, task);
    const { resumeRun } = await import('../../../runs/resume-run.ts');
    return await tell(await resumeRun({ ...around, run: resume === true ? null : resume }), flags, place);
  }
  const wanted = wantedOf(task, flags, around.cwd);
  if (!flags.dryRun) return await tell(await startLoop({ ...around, ...wanted }), flags, place);
  const { settings } = await wantedLoop(wanted);
  return await (await import('./dry-run.ts')).dryRun({ settings, cwd: around.cwd, json: flags.json === true });
}

function wantedOf(task: string | null, flags: LoopFlags, cwd: string): WantedLoop {
  const { spec = null, config = null, witness = [], checks = true, check } = flags;
  if (!checks && check !== undefined) {
    throw new OperatorError('usage', 'cannot specify both --check and --no-checks', { hint: 'Leave one of them out.', exitCode: 2 });
  }
  return { cwd, task, spec, config, witnesses: witness, noChecks: !checks, over: settingsFromLoopFlags(flags) };
}

async function tell({ outcome, view, runFolder }: FinishedRun, { json }: LoopFlags, place: ReportPlace | null): Promise<number> {
  if (json) surroundings().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  if (place !== null) {
    const { loopReportText } = await import('../../../report/files/write-loop-report.ts');
    await putReport(() => loopReportText(runFolder, place.format), place, tellWarning);
  }
  return outcome.exit_code;
}
