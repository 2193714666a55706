import { open } from 'node:fs/promises';
import type { CommandPort, CommandRequest } from '../engine/ports/command.ts';
import type { ProcessWatch } from '../kit/process/process-watch.ts';
import { runProcess } from '../kit/process/run-process.ts';
import { shellCommand } from '../kit/process/shell-command.ts';
import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';

export interface ShellOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly guardian: ProcessWatch;
}

/** Runs a gate's command line in the platform's shell, with both streams merged into its log. */
export function openShell({ env, guardian }: ShellOptions): CommandPort {
  return {
    async run(request, signal) {
      const startedMs = performance.now();
      const ending = await runProcess(
        {
          ...shellCommand(request.command),
          cwd: request.cwd,
          env,
          stdin: '',
          marker: request.marker,
          stdoutFile: request.logFile,
          stderrFile: 'merged',
          idleMs: 0,
          deadlineMs: request.timeoutMs,
          maxOutputBytes: request.maxOutputBytes,
          lingerMs: 0,
          stopWith: 'terminate',
          guardian,
          onSpawned: () => undefined,
          onLine: () => undefined,
          settled: () => false,
        },
        signal,
      );
      return { ending, ...(await beginningOf(request)), durationMs: performance.now() - startedMs };
    },
  };
}

/** Read back from the log when all is over: a flood never passes through our memory. */
async function beginningOf({ logFile, keepChars }: CommandRequest): Promise<{ output: string; outputBytes: number }> {
  const handle = await open(logFile, 'r').catch(() => null);
  if (handle === null) return { output: '', outputBytes: 0 };
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, keepChars * 4));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return { output: truncateCodePoints(buffer.toString('utf8', 0, bytesRead), keepChars), outputBytes: size };
  } finally {
    await handle.close();
  }
}
