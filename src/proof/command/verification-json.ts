import type { RerunCheck } from '../verify/rerun-checks.ts';
import type { Verification } from '../verify/verify-commit.ts';

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
