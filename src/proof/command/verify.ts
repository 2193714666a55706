import { currentDirectory } from '../../cli/shared/flags.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import { formatDuration, parseDuration } from '../../kit/pure/duration.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { firstTellingLine, oneLine, printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import type { RerunCheck } from '../verify/rerun-checks.ts';
import { type Verification, verifyCommit } from '../verify/verify-commit.ts';

interface VerifyFlags {
  readonly run?: string;
  readonly checkTimeout?: string;
  readonly json?: boolean;
}

/** 0: all is green again. 1: something is not, or the receipt does not count. */
export async function verifyCommand(commit: string | null, flags: VerifyFlags): Promise<number> {
  const print = (...lines: readonly string[]) => void (flags.json || io().stdout.write(lines.map((line) => `${line}\n`).join('')));
  const place = placeOf(commit, flags);
  const timeoutMs = timeoutOf(flags);
  using signalled = untilSignalled();
  const verification = await verifyCommit(
    {
      cwd: currentDirectory(),
      place,
      timeoutMs,
      onReceipt: (of, receipt) => print(receiptLine(of, receipt)),
      onCheck: (check) => print(...checkLines(check)),
    },
    signalled.signal,
  );
  if (verification.kind === 'interrupted') return interrupted(signalled.exitCode());
  if (flags.json) io().stdout.write(`${JSON.stringify(verificationJson(verification))}\n`);
  if (verification.kind === 'not-valid') return notValid(verification);
  print(sumLine(verification.checks));
  return verification.asRecorded ? 0 : 1;
}

function placeOf(commit: string | null, { run }: VerifyFlags) {
  if (run === undefined) return { commit: commit ?? 'HEAD' };
  if (commit === null) return { run };
  throw new OperatorError('usage', 'cannot specify both a commit and --run', { hint: 'Leave one of them out.', exitCode: 2 });
}

function timeoutOf({ checkTimeout }: VerifyFlags): number | null {
  if (checkTimeout === undefined) return null;
  const ms = parseDuration(checkTimeout);
  if (ms !== null) return ms;
  throw new OperatorError('usage', `--check-timeout must be a duration such as "20m", "90s" or "off", got ${JSON.stringify(checkTimeout)}`, {
    hint: 'ralph verify --help shows every option.',
    exitCode: 2,
  });
}

function notValid({ of, problem }: Extract<Verification, { kind: 'not-valid' }>): number {
  io().stderr.write(`error: the receipt of ${of} does not count: ${oneLine(problem)}\n`);
  return 1;
}

function interrupted(exitCode: number): number {
  io().stderr.write('Interrupted; nothing is left running, and nothing was verified.\n');
  return exitCode;
}

/** What `ralph verify --json` prints. */
export function verificationJson(verification: Exclude<Verification, { kind: 'interrupted' }>): object {
  if (verification.kind === 'not-valid') return { of: verification.of, as_recorded: false, problem: verification.problem, receipt: null, checks: [] };
  const { of, receipt, checks, asRecorded } = verification;
  return { of, as_recorded: asRecorded, problem: null, receipt, checks: checks.map(checkJson) };
}

function checkJson({ command, recordedExitCode, exitCode, ending, asRecorded, sameOutput, wasRed, durationMs, output }: RerunCheck): object {
  return {
    command,
    recorded_exit_code: recordedExitCode,
    exit_code: exitCode,
    ending,
    as_recorded: asRecorded,
    same_output: sameOutput,
    was_red: wasRed,
    duration_ms: durationMs,
    output,
  };
}

/** Which proof is looked at, before the first of its commands runs. */
export function receiptLine(of: string, { run, agent, model, iterations, cost_usd, written_at }: Receipt): string {
  const cost = cost_usd === null ? 'cost unknown' : `$${cost_usd.toFixed(4)}`;
  const by = shown(model === null ? agent : `${agent} (${model})`);
  return `Receipt of ${of}: run ${shown(run)}, ${dayOf(written_at)}, ${by}, ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}, ${cost}`;
}

export function checkLines(check: RerunCheck): readonly string[] {
  const { asRecorded, command, output } = check;
  const line = `  ${asRecorded ? '[OK]  ' : '[FAIL]'} ${shown(command)}  (${remarks(check).join(', ')})`;
  const telling = asRecorded ? '' : firstTellingLine(output);
  return telling === '' ? [line] : [line, `         ${shown(telling)}`];
}

export function sumLine(checks: readonly RerunCheck[]): string {
  const same = checks.filter(({ asRecorded }) => asRecorded).length;
  const all = `${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`;
  return same === checks.length ? `Verified: ${all} green in a fresh checkout, as recorded.` : `Not as recorded: ${checks.length - same} of ${all}.`;
}

function remarks({ asRecorded, ending, recordedExitCode, sameOutput, wasRed, durationMs }: RerunCheck): readonly string[] {
  return [
    ending,
    ...(asRecorded ? [] : [`recorded exit ${recordedExitCode}`]),
    formatDuration(durationMs),
    ...(wasRed === true ? ['was red before the run'] : []),
    ...(sameOutput ? [] : ['prints something else']),
  ];
}

/** A note may hold anything. */
const shown = (text: string) => printable(oneLine(text));

function dayOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : date.toISOString().slice(0, 16).replace('T', ' ');
}
