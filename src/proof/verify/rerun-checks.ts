import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandPort, CommandRequest, CommandResult } from '../../engine/ports/command.ts';
import { endingText } from '../../journal/ending-text.ts';
import type { Receipt } from '../../journal/words/receipt.ts';
import { openScope } from '../../kit/async/scope.ts';
import { openGuardian } from '../../process/guardian.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { environment, withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { openMask } from '../../sandbox/environment/open-mask.ts';

export type RecordedCheck = Receipt['checks'][number];

/** A check of a receipt, run again. */
export interface RerunCheck {
  readonly command: string;
  readonly recordedExitCode: number | null;
  /** Null if it did not exit by itself. */
  readonly exitCode: number | null;
  /** How it ended, in words. */
  readonly ending: string;
  /** Green now and then: only that is a proof. */
  readonly asRecorded: boolean;
  /** Outputs contain times and paths, so this proves nothing either way. */
  readonly sameOutput: boolean;
  /** Red before the first iteration; null if unknown. */
  readonly wasRed: boolean | null;
  readonly durationMs: number;
  /** The end of its output. */
  readonly output: string;
}

export interface Rerun {
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly onCheck: (check: RerunCheck) => void;
}

const MOST_BYTES = 1024 ** 3;
const OUTPUT_CHARS = 2000;

/** Runs all of them in order, each in its own process group; no process that they start outlives this. A signal interrupts it. */
export async function rerunChecks(recorded: readonly RecordedCheck[], rerun: Rerun, signal: AbortSignal): Promise<readonly RerunCheck[]> {
  await using checks = await openCheckShell('verify');
  const done: RerunCheck[] = [];
  for (const [index, check] of recorded.entries()) {
    if (signal.aborted) break;
    const result = await runAgain(check, () => runOnce(checks.shell, check, { ...rerun, ...checks.placeOf(index) }, signal));
    if (signal.aborted) break;
    rerun.onCheck(result);
    done.push(result);
  }
  return done;
}

/** A check that was flaky then gets a second chance now. */
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

/** Runs checks outside a run, without a sandbox, as the operator would by hand. No process that they start outlives it. */
export interface CheckShell extends AsyncDisposable {
  readonly shell: CommandPort;
  /** The marker and the log of one run. */
  placeOf(number: number): Pick<CommandRequest, 'marker' | 'logFile'>;
}

export async function openCheckShell(name: string): Promise<CheckShell> {
  const scope = openScope();
  const marker = `${name}-${randomUUID()}`;
  const guardian = openGuardian(`${marker}/`);
  scope.defer(() => guardian.close());
  const logs = await makeTemporaryFolder(name);
  scope.defer(() => rm(logs, { recursive: true, force: true }));
  const shell = openShell({
    env: withoutGitVariables(environment()),
    mask: openMask(environment()).openStream,
    guardian: { ...guardian, reportLeft: () => undefined },
  });
  return {
    shell,
    placeOf: (number) => ({ marker: `${marker}/${number}`, logFile: join(logs, `${number}.log`) }),
    [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose](),
  };
}
