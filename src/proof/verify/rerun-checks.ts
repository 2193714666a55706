import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandPort, CommandResult } from '../../engine/ports/command.ts';
import { endingText } from '../../journal/ending-text.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import { openScope } from '../../kit/async/scope.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import { openGuardian } from '../../process/guardian.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { openMask } from '../../sandbox/environment/open-mask.ts';

export type RecordedCheck = Receipt['checks'][number];

/** A check of a receipt, run again. */
export interface RerunCheck {
  readonly command: string;
  readonly recordedExitCode: number | null;
  /** Null when it did not exit by itself. */
  readonly exitCode: number | null;
  /** How it ended, in words. */
  readonly ending: string;
  /** Green now as it was then: only that is a proof. */
  readonly asRecorded: boolean;
  /** Outputs carry times and paths, so this proves nothing either way. */
  readonly sameOutput: boolean;
  /** Red before the first iteration; null when nobody looked. */
  readonly wasRed: boolean | null;
  readonly durationMs: number;
  /** The end of what it printed. */
  readonly output: string;
}

export interface Rerun {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly onCheck: (check: RerunCheck) => void;
}

const MOST_BYTES = 1024 ** 3;
const OUTPUT_CHARS = 2000;

/** All of them, in order, each a process group of its own; nothing they start outlives this, nor us. Cut short by the signal. */
export async function rerunChecks(checks: readonly RecordedCheck[], rerun: Rerun, signal: AbortSignal): Promise<readonly RerunCheck[]> {
  await using scope = openScope();
  const marker = `verify-${randomUUID()}`;
  const guardian = openGuardian(`${marker}/`);
  scope.defer(() => guardian.close());
  const logs = await mkdtemp(join(tmpdir(), 'ralph-verify-'));
  scope.defer(() => rm(logs, { recursive: true, force: true }));
  const shell = openShell({
    env: withoutGitVariables(environment()),
    mask: openMask(environment()).openStream,
    guardian: { ...guardian, left: () => undefined },
  });
  const done: RerunCheck[] = [];
  for (const [index, check] of checks.entries()) {
    if (signal.aborted) break;
    const request = { marker: `${marker}/${index}`, logFile: join(logs, `${index}.log`) };
    const result = await runAgain(check, () => runOnce(shell, check, { ...rerun, ...request }, signal));
    if (signal.aborted) break;
    rerun.onCheck(result);
    done.push(result);
  }
  return done;
}

/** One that was known to be flaky then is given a second chance now. */
async function runAgain(check: RecordedCheck, run: () => Promise<RerunCheck>): Promise<RerunCheck> {
  const first = await run();
  return first.asRecorded || !check.flaky ? first : await run();
}

interface Request extends Rerun {
  readonly marker: string;
  readonly logFile: string;
}

async function runOnce(shell: CommandPort, check: RecordedCheck, { cwd, timeoutMs, marker, logFile }: Request, signal: AbortSignal): Promise<RerunCheck> {
  const { command } = check;
  return compared(
    check,
    await shell.run({ command, cwd, timeoutMs, marker, logFile, maxOutputBytes: MOST_BYTES, keepChars: OUTPUT_CHARS, keep: 'end', digest: true }, signal),
  );
}

function compared(check: RecordedCheck, { ending, output, outputSha256, durationMs }: CommandResult): RerunCheck {
  const exitCode = ending.kind === 'exited' ? ending.code : null;
  return {
    command: check.command,
    recordedExitCode: check.exit_code,
    exitCode,
    ending: endingText(ending),
    asRecorded: exitCode === 0 && check.exit_code === 0,
    sameOutput: outputSha256 === check.output_sha256,
    wasRed: check.was_red,
    durationMs: Math.round(durationMs),
    output,
  };
}
