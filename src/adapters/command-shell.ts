import { closeSync, fstatSync, readSync } from 'node:fs';
import type { CommandPort, CommandRequest } from '../engine/ports/command.ts';
import { openRegular } from '../kit/files/open-regular.ts';
import type { ProcessWatch } from '../kit/process/process-watch.ts';
import { runProcess } from '../kit/process/run-process.ts';
import { shellCommand } from '../kit/process/shell-command.ts';
import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';
import { withoutGitVariables } from '../kit/pure/without-git-variables.ts';

export interface ShellOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly guardian: ProcessWatch;
}

/** An SCM that wants a password or an editor fails at once instead of waiting for somebody. */
const NOBODY_TO_ASK = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'false', SSH_ASKPASS_REQUIRE: 'never' };

/** Runs a gate's line in the platform's shell, or an SCM's words without one, with both streams merged into its log. */
export function openShell({ env, guardian }: ShellOptions): CommandPort {
  return {
    async run(request, signal) {
      const startedMs = performance.now();
      using log = openLog(request);
      const ending = await runProcess(
        {
          ...commandLine(request.command),
          cwd: request.cwd,
          env: typeof request.command === 'string' ? env : { ...withoutGitVariables(env), ...NOBODY_TO_ASK },
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
          onSpawned: () => log.hold(),
          onLine: () => undefined,
          settled: () => false,
        },
        signal,
      );
      return { ending, ...log.beginning(), durationMs: performance.now() - startedMs };
    },
  };
}

/** Words are run as they are; only a line is a shell's. */
function commandLine(command: CommandRequest['command']): { readonly file: string; readonly args: readonly string[] } {
  if (typeof command === 'string') return shellCommand(command);
  const [file = '', ...args] = command;
  return { file, args };
}

interface Log extends Disposable {
  /** Keeps a hand on the file the output goes to: whatever the gate then puts in its place is never read. */
  hold(): void;
  beginning(): { readonly output: string; readonly outputBytes: number };
}

/** Read back when all is over: a flood never passes through our memory. */
function openLog({ logFile, keepChars }: CommandRequest): Log {
  let fd: number | null = null;
  return {
    hold() {
      fd = openRegular(logFile);
    },
    beginning() {
      if (fd === null) return { output: '', outputBytes: 0 };
      const { size } = fstatSync(fd);
      const buffer = Buffer.alloc(Math.min(size, keepChars * 4));
      const bytesRead = readSync(fd, buffer, 0, buffer.length, 0);
      return { output: truncateCodePoints(buffer.toString('utf8', 0, bytesRead), keepChars), outputBytes: size };
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
    },
  };
}
