import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endingText } from '../../journal/ending-text.ts';
import { openScope } from '../../kit/async/scope.ts';
import { mostInformativeLine } from '../../kit/pure/text.ts';
import { openGuardian } from '../../process/guardian.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { openShell } from '../../sandbox/command-shell.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import { openMask } from '../../sandbox/environment/open-mask.ts';

/** One command that must be green before a task counts as complete. */
export interface Verified {
  readonly command: string;
  readonly green: boolean;
  /** How it ended, in words, and the most telling line of its output. */
  readonly ending: string;
  readonly line: string;
  readonly durationMs: number;
}

export interface VerifyRequest {
  readonly commands: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly onBegin: (command: string) => void;
  readonly onEnd: (verified: Verified) => void;
}

const MOST_BYTES = 1024 ** 3;
const KEEP_CHARS = 4_000;

/** Runs the commands in order until one is red; returns that one, or null. Nothing they start outlives this call. The signal cuts it short. */
export async function firstRed({ commands, cwd, env, timeoutMs, onBegin, onEnd }: VerifyRequest, signal: AbortSignal): Promise<Verified | null> {
  if (commands.length === 0) return null;
  await using scope = openScope();
  const marker = `task-${randomUUID()}`;
  const guardian = openGuardian(`${marker}/`);
  scope.defer(() => guardian.close());
  const logs = await makeTemporaryFolder('task');
  scope.defer(() => rm(logs, { recursive: true, force: true }));
  const shell = openShell({ env: withoutGitVariables(env), mask: openMask(env).openStream, guardian: { ...guardian, reportLeft: () => undefined } });
  const limits = { timeoutMs, maxOutputBytes: MOST_BYTES, keepChars: KEEP_CHARS, keep: 'end', digest: false } as const;
  for (const [index, command] of commands.entries()) {
    onBegin(command);
    const { ending, output, durationMs } = await shell.run(
      { ...limits, command, cwd, marker: `${marker}/${index}`, logFile: join(logs, `${index}.log`) },
      signal,
    );
    signal.throwIfAborted();
    const green = ending.kind === 'exited' && ending.code === 0;
    const verified = { command, green, ending: endingText(ending), line: green ? '' : mostInformativeLine(output), durationMs };
    onEnd(verified);
    if (!green) return verified;
  }
  return null;
}
