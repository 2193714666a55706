import { positiveDurationOf } from '../../../cli/shared/flags.ts';
import { withFatalResult } from '../../../cli/shared/print-error.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { oneLine } from '../../../kit/pure/text.ts';
import { io } from '../../../process/io.ts';
import { openTailPrinter } from '../../../runs/command/tail-printer.ts';
import { shownRunOptions } from '../../../watch/command/shown-run.ts';
import type { RemoteJob } from '../jobs/ask-for-job.ts';
import { awaitJob, followJob } from '../jobs/await-job.ts';
import { askOwnLoop, runJobHere } from '../jobs/run-job.ts';
import type { JobOptions } from '../start/root-request.ts';
import type { RootFlags } from './root-flags.ts';
import { rootRequestFromFlags } from './root-request-from-flags.ts';

/** The environment is at fault, as for a job that is refused at once. */
const NOT_STARTED = 4;

export function jobCommand(command: readonly string[], flags: JobFlags): Promise<number> {
  return flags.json ? withFatalResult((onStarted) => job(command, flags, onStarted)) : job(command, flags, () => undefined);
}

async function job(command: readonly string[], flags: JobFlags, onStarted: (runFolder: string) => void): Promise<number> {
  const around = shownRunOptions(flags, onStarted);
  const request = await jobRequestFromFlags(command, flags);
  const elsewhere = await askOwnLoop(request, around.cwd);
  if (elsewhere !== null) {
    onStarted(elsewhere.runFolder);
    return flags.detach ? leaveAlone(elsewhere, flags) : await waitFor(elsewhere, flags);
  }
  if (flags.detach) throw noLoopForDetach();
  const { outcome, view, runFolder } = await runJobHere(request, around);
  if (flags.json) print({ ...view, run_folder: runFolder });
  return outcome.exit_code;
}

function leaveAlone({ run, runFolder }: RemoteJob, { json }: JobFlags): number {
  if (json) print({ run_id: run, run_folder: runFolder });
  else io().stdout.write(`${run}\n`);
  return 0;
}

/** Prints the run id first, so that a caller that is killed during the wait can still ask for it. */
async function waitFor(elsewhere: RemoteJob, { follow, json, quiet }: JobFlags): Promise<number> {
  (json ? io().stderr : io().stdout).write(`${elsewhere.run}\n`);
  const [{ status, exit_code, message, view }] = await Promise.all([awaitJob(elsewhere), follow ? showOutput(elsewhere) : null]);
  const exitCode = exit_code ?? (status === 'refused' ? NOT_STARTED : 1);
  if (json) print(view ?? { run_id: elsewhere.run, status, exit_code: exitCode, message, run_folder: elsewhere.runFolder });
  else if (!quiet) io().stderr.write(`${elsewhere.run}: ${status}${message === null ? '' : `: ${oneLine(message)}`}\n`);
  return exitCode;
}

async function showOutput(elsewhere: RemoteJob): Promise<void> {
  const write = (line: string) => void io().stderr.write(`${line}\n`);
  await followJob(elsewhere, openTailPrinter({ form: 'text', lines: Number.POSITIVE_INFINITY, write }));
}

function print(result: object): void {
  io().stdout.write(`${JSON.stringify(result)}\n`);
}

function noLoopForDetach(): OperatorError {
  return new OperatorError('usage', '--detach needs a loop that starts the job, and there is none here', {
    hint: 'Leave it out, or call it from an agent of ralph supervise.',
    exitCode: 2,
  });
}

/** The request of `ralph job`; input that can be read only once is read now. */
export async function jobRequestFromFlags(command: readonly string[], flags: JobFlags): Promise<JobOptions> {
  return {
    ...(await rootRequestFromFlags(command, flags)),
    parent: flags.parentRunId ?? null,
    run: flags.runId ?? null,
    waitTimeoutMs: positiveDurationOf('--wait-timeout', flags.waitTimeout),
    killChildren: flags.killChildren === true,
  };
}

/** The options of `ralph job` as commander passes them. */
export interface JobFlags extends RootFlags {
  readonly parentRunId?: string;
  readonly runId?: string;
  readonly waitTimeout?: string;
  readonly killChildren?: boolean;
  readonly detach?: boolean;
  readonly follow?: boolean;
}
