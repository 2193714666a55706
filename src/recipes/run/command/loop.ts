import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { withFatalResult } from '../../../cli/shared/print-error.ts';
import { refuseFlagsWithResume } from '../../../cli/shared/run-flags.ts';
import { agentsGiven, type SettingFlags, settingsFromFlags } from '../../../cli/shared/settings-from-flags.ts';
import { printWarning } from '../../../cli/shared/terminal-run-options.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { io } from '../../../process/io.ts';
import type { FinishedRun } from '../../../runs/run-options.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import { type RequestedLoop, requestedLoop } from '../../../settings/requested-loop.ts';
import { shownRunOptions } from '../../../watch/command/shown-run.ts';
import { startLoop } from '../start/start-run.ts';

export function loopCommand(task: string | null, flags: LoopFlags): Promise<number> {
  return flags.json ? withFatalResult((onStarted) => loop(task, flags, onStarted)) : loop(task, flags, () => undefined);
}

async function loop(task: string | null, flags: LoopFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const around = shownRunOptions(flags, onStarted);
  const place = reportTarget(flags, around.cwd);
  if (flags.resume !== undefined) {
    const { resume, json, quiet, verbose, ui, watch, plain, report, reportFile, ...others } = flags;
    refuseFlagsWithResume(others, task === null ? null : 'a task');
    const { resumeRun } = await import('../../../runs/resume-run.ts');
    return await tell(await resumeRun({ ...around, run: resume === true ? null : resume }), flags, place);
  }
  const wanted = wantedOf(task, flags, around.cwd);
  if (!flags.dryRun) return await tell(await startLoop({ ...around, ...wanted }), flags, place);
  const { settings } = await requestedLoop(wanted);
  return await (await import('./dry-run.ts')).dryRun({ settings, cwd: around.cwd, json: flags.json === true });
}

function wantedOf(task: string | null, flags: LoopFlags, cwd: string): RequestedLoop {
  const { spec = null, config = null, witness = [], checks = true, check } = flags;
  if (!checks && check !== undefined) {
    throw new OperatorError('usage', 'cannot specify both --check and --no-checks', { hint: 'Leave one of them out.', exitCode: 2 });
  }
  return { cwd, task, spec, config, witnesses: witness, noChecks: !checks, over: settingsFromLoopFlags(flags) };
}

async function tell({ outcome, view, runFolder }: FinishedRun, { json }: LoopFlags, place: ReportTarget | null): Promise<number> {
  if (json) io().stdout.write(`${JSON.stringify({ ...view, run_folder: runFolder })}\n`);
  if (place !== null) {
    const { loopReportText } = await import('../../../report/files/write-loop-report.ts');
    await writeReport(() => loopReportText(runFolder, place.format), place, printWarning);
  }
  return outcome.exit_code;
}

export interface ReportTarget {
  readonly format: ReportFormat;
  /** Null: standard output. */
  readonly file: string | null;
  /** Whether other programs write this file too; then the report is appended. */
  readonly isShared: boolean;
}

const FORMATS: Readonly<Record<string, ReportFormat>> = { '.json': 'json', '.md': 'markdown', '.markdown': 'markdown' };

/** The file and format of the report; null: no report. Invalid flags are refused before anything starts, because nobody would run a loop twice for its report. */
export function reportTarget({ report, reportFile, json }: LoopFlags, cwd: string): ReportTarget | null {
  if (reportFile !== undefined) return { format: report ?? formatOf(reportFile), file: resolve(cwd, reportFile), isShared: false };
  if (report === undefined) return null;
  const summary = report === 'github' ? environment()['GITHUB_STEP_SUMMARY'] : undefined;
  if (summary) return { format: report, file: summary, isShared: true };
  if (json) throw usage('cannot specify both --json and --report without --report-file', 'Both would go to standard output: name a file for the report.');
  return { format: report, file: null, isShared: false };
}

function formatOf(file: string): ReportFormat {
  const format = FORMATS[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw usage(
    `the extension of --report-file ${file} selects no format`,
    `Add --report json, markdown or github, or use one of the extensions ${Object.keys(FORMATS).join(', ')}.`,
  );
}

/** A report that cannot be written causes a warning only: the run itself counts. */
export async function writeReport(made: () => Promise<string>, { file, isShared }: ReportTarget, warn: (text: string) => void): Promise<void> {
  try {
    const text = await made();
    if (file === null) return void io().stdout.write(text);
    await mkdir(dirname(file), { recursive: true });
    await (isShared ? appendFile(file, text) : writeFile(file, text));
  } catch (error) {
    warn(`the report was not written: ${(error as Error).message}`);
  }
}

function usage(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}

/** The command line as a settings file that overrides the others. */
export const settingsFromLoopFlags = (flags: LoopFlags) => settingsFromFlags('loop', flags, agentsGiven(flags.agents, 'loop.agent'));

/** The options of `ralph loop` as commander passes them. */
export interface LoopFlags extends SettingFlags {
  readonly check?: readonly string[];
  readonly checks?: boolean;
  readonly spec?: string;
  readonly agents?: string;
  readonly config?: string;
  readonly witness?: readonly string[];
  readonly report?: ReportFormat;
  readonly reportFile?: string;
  readonly resume?: string | true;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly ui?: boolean;
  readonly watch?: boolean;
  readonly plain?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export type ReportFormat = 'json' | 'markdown' | 'github';
