import { surroundings } from '../../process/surroundings.ts';
import { parseDuration } from '../../kit/pure/duration.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { type Verification, verifyCommit } from '../verify/verify-commit.ts';
import { currentDirectory } from '../../cli/shared/current-directory.ts';
import { untilSignalled } from '../../cli/shared/until-signalled.ts';
import { verificationJson } from './verification-json.ts';
import { checkLines, receiptLine, sumLine } from './verification-lines.ts';

interface VerifyFlags {
  readonly run?: string;
  readonly checkTimeout?: string;
  readonly json?: boolean;
}

/** 0: all is green again. 1: something is not, or the receipt does not count. */
export async function verifyCommand(commit: string | null, flags: VerifyFlags): Promise<number> {
  const print = (...lines: readonly string[]) => void (flags.json || surroundings().stdout.write(lines.map((line) => `${line}\n`).join('')));
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
  if (flags.json) surroundings().stdout.write(`${JSON.stringify(verificationJson(verification))}\n`);
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
  surroundings().stderr.write(`error: the receipt of ${of} does not count: ${oneLine(problem)}\n`);
  return 1;
}

function interrupted(exitCode: number): number {
  surroundings().stderr.write('Interrupted; nothing is left running, and nothing was verified.\n');
  return exitCode;
}
