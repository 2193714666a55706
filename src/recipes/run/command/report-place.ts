import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { surroundings } from '../../../process/surroundings.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { environment } from '../../../sandbox/environment/environment.ts';
import type { LoopFlags, ReportFormat } from './loop-flags.ts';

export interface ReportPlace {
  readonly format: ReportFormat;
  /** Null: standard output. */
  readonly file: string | null;
  /** Whether it is somebody else's file too, to which it is added. */
  readonly isShared: boolean;
}

const FORMATS: Readonly<Record<string, ReportFormat>> = { '.json': 'json', '.md': 'markdown', '.markdown': 'markdown' };

/** Where the report of a loop goes, and in which format; null: nobody wants one. Refused before anything is started, since nobody runs a loop twice for its report. */
export function reportPlace({ report, reportFile, json }: LoopFlags, cwd: string): ReportPlace | null {
  if (reportFile !== undefined) return { format: report ?? formatOf(reportFile), file: resolve(cwd, reportFile), isShared: false };
  if (report === undefined) return null;
  const summary = report === 'github' ? environment()['GITHUB_STEP_SUMMARY'] : undefined;
  if (summary) return { format: report, file: summary, isShared: true };
  if (json) throw usage('cannot specify both --json and --report without --report-file', 'Both would be on standard output: say a file for the report.');
  return { format: report, file: null, isShared: false };
}

function formatOf(file: string): ReportFormat {
  const format = FORMATS[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw usage(
    `the ending of --report-file ${file} tells no format`,
    `Add --report json, markdown or github, or let it end in ${Object.keys(FORMATS).join(', ')}.`,
  );
}

/** A report that cannot be written is told, and costs nothing else: the run is what counts. */
export async function putReport(made: () => Promise<string>, { file, isShared }: ReportPlace, warn: (text: string) => void): Promise<void> {
  try {
    const text = await made();
    if (file === null) return void surroundings().stdout.write(text);
    await mkdir(dirname(file), { recursive: true });
    await (isShared ? appendFile(file, text) : writeFile(file, text));
  } catch (error) {
    warn(`the report was not written: ${(error as Error).message}`);
  }
}

function usage(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
