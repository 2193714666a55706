import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { currentDirectory } from '../../cli/shared/flags.ts';
import { writeAtomic } from '../../kit/files/write.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Liveness } from '../../process/identity.ts';
import { io } from '../../process/io.ts';
import { neverStarted } from '../../runs/manage/find-run.ts';
import { runOfRepository } from '../../runs/manage/run-of-repository.ts';
import { readHistory } from '../files/read-history.ts';
import { reportPageHtml } from '../run-report/report-page-html.ts';
import { reportPageMarkdown } from '../run-report/report-page-markdown.ts';
import type { RunReport } from '../run-report/report-view.ts';
import { runReport } from '../run-report/run-report.ts';
import { clockTime } from '../terminal/paint.ts';

/** With the date: a report is read later. */
const when = (atMs: number) => clockTime(atMs, 0);

interface ReportFlags {
  readonly json?: boolean;
  readonly html?: string;
  readonly output?: string;
}

/** Reads only. The page goes to its file; the text goes to standard output, unless a file is named or the page was all that was asked for. */
export async function reportCommand(run: string | null, { json = false, html, output }: ReportFlags): Promise<number> {
  const cwd = currentDirectory();
  const report = await reportOf(cwd, run);
  if (html !== undefined) await write(resolve(cwd, html), reportPageHtml(report, when));
  if (html !== undefined && output === undefined && !json) return 0;
  const text = json ? `${JSON.stringify(report)}\n` : reportPageMarkdown(report, when);
  if (output === undefined) io().stdout.write(text);
  else await write(resolve(cwd, output), text);
  return 0;
}

const STATUS_OF = { alive: 'running', dead: 'dead', unknown: 'unknown' } as const satisfies Record<Liveness, RunReport['status']>;

async function reportOf(cwd: string, wanted: string | null): Promise<RunReport> {
  const { run, folder, liveness } = await runOfRepository(cwd, wanted);
  const history = await readHistory(folder);
  if (history.state.run === null) throw neverStarted(run);
  return runReport(history, { status: history.state.stopped === null ? STATUS_OF[liveness] : 'stopped', runFolder: folder });
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeAtomic(file, text, 0o644);
  } catch (cause) {
    throw new OperatorError('report-not-written', `cannot write ${file}: ${(cause as Error).message}`, {
      hint: 'Name a file in a folder that you may write to.',
      exitCode: 4,
      cause,
    });
  }
  io().stderr.write(`Wrote ${file}\n`);
}
