import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { endingText } from '../../journal/ending-text.ts';
import { openScope } from '../../kit/async/scope.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { mostInformativeLine } from '../../kit/pure/text.ts';
import { openGuardian } from '../../process/guardian.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { openMask } from '../../sandbox/environment/open-mask.ts';

export interface SetupRequest {
  readonly command: string;
  readonly timeoutMs: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox around it; absent: none. */
  readonly wall?: SandboxPort;
  readonly logFile: string;
  /** Marks everything that the command starts, so that nothing outlives this process. */
  readonly marker: string;
}

const KEEP_CHARS = 4_000;
const MOST_BYTES = 100 * 1024 * 1024;

/** Runs the operator's command in a new worktree; throws, naming the log, unless it exits 0. */
export async function runSetup({ command, env, wall, marker, ...request }: SetupRequest, signal: AbortSignal): Promise<void> {
  await using scope = openScope();
  await mkdir(dirname(request.logFile), { recursive: true, mode: 0o700 });
  const guardian = openGuardian(`${marker}/`);
  scope.defer(() => guardian.close());
  const shell = openShell({ env, ...(wall && { wall }), mask: openMask(environment()).openStream, guardian: { ...guardian, reportLeft: () => undefined } });
  const asked = { ...request, command, marker: `${marker}/setup`, maxOutputBytes: MOST_BYTES, keepChars: KEEP_CHARS, keep: 'end', digest: false } as const;
  const { ending, output } = await shell.run(asked, signal);
  signal.throwIfAborted();
  if (ending.kind === 'exited' && ending.code === 0) return;
  const said = mostInformativeLine(output);
  throw new OperatorError('worktree-setup-failed', `the setup of the worktree failed (${endingText(ending)})${said === '' ? '' : `: ${said}`}`, {
    hint: `All it said is in ${request.logFile}; the command is worktree.setup of the settings.`,
    exitCode: 4,
  });
}
