import { createHash } from 'node:crypto';
import { createReadStream, fstatSync } from 'node:fs';
import type { CommandPort, CommandRequest, CommandResult } from '../engine/ports/command.ts';
import type { SandboxPort } from '../engine/ports/sandbox.ts';
import { type HeldFile, openHeldFile } from '../kit/files/write.ts';
import { lastCodePoints, truncateCodePoints } from '../kit/pure/text.ts';
import { shellCommand } from '../process/find-executable.ts';
import type { StreamMask } from '../process/mask-stream.ts';
import { type ProcessWatch, UNFOLLOWED } from '../process/process-request.ts';
import { runProcess } from '../process/run-process.ts';
import { withoutGitVariables } from './environment/environment.ts';
import { inSandbox } from './in-sandbox.ts';

export interface ShellOptions {
  /** The environment of a gate's command. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment of SCM commands, which act for the operator. Defaults to `env`. */
  readonly hostEnv?: Readonly<Record<string, string>>;
  /** The sandbox for gates; without it they run unconfined. SCM commands never run in it: they need the operator's keys and network. */
  readonly wall?: SandboxPort;
  /** Removes secrets from the log. */
  readonly mask?: () => StreamMask;
  readonly guardian: ProcessWatch;
}

/** Makes an SCM command that wants a password or an editor fail at once instead of waiting for a person. */
const NOBODY_TO_ASK = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'false', SSH_ASKPASS_REQUIRE: 'never' };

/** Runs a gate's command line in the platform's shell, or an SCM's argument list without a shell. Both output streams go into one log. */
export function openShell({ env, hostEnv = env, mask, guardian, wall }: ShellOptions): CommandPort {
  return {
    async run(request, signal) {
      const startedMs = performance.now();
      using log = openHeldFile(request.logFile);
      const isLine = typeof request.command === 'string';
      const call = {
        who: 'gate' as const,
        ...commandLine(request.command),
        cwd: request.cwd,
        env: isLine ? { COMPOSE_PROJECT_NAME: composeName(request), ...env } : { ...withoutGitVariables(hostEnv), ...NOBODY_TO_ASK },
        ...(request.ownFolder && { ownFolder: request.ownFolder }),
        ...(request.caches !== undefined && { caches: request.caches }),
        ...(request.sealed && { sealed: request.sealed }),
      };
      await using enclosed = await inSandbox(isLine ? wall : undefined, call);
      log.make();
      const ending = await runProcess(
        {
          ...enclosed.process,
          stdin: request.stdin ?? '',
          marker: request.marker,
          stdoutFile: request.logFile,
          stdoutFd: log.fd,
          stderrFile: 'merged',
          ...(mask && { mask }),
          deadlineMs: request.timeoutMs,
          maxOutputBytes: request.maxOutputBytes,
          guardian,
          ...UNFOLLOWED,
        },
        signal,
      );
      const kept = ending.kind === 'never-started' ? nothing : await keptOf(log, request);
      return { ending, ...kept, durationMs: performance.now() - startedMs };
    },
  };
}

/**
 * Containers that one gate starts must not be those of another: of the operator, of another run, or of another task. Docker names them after the folder, and
 * agents see the same folder as the operator.
 */
function composeName({ marker, cwd }: CommandRequest): string {
  const [run = ''] = marker.split('~');
  return `ralph-${createHash('sha256').update(`${run}\0${cwd}`).digest('hex').slice(0, 12)}`;
}

/** An argument list runs as it is; only a command line needs a shell. */
function commandLine(command: CommandRequest['command']): { readonly file: string; readonly args: readonly string[] } {
  if (typeof command === 'string') return shellCommand(command);
  const [file = '', ...args] = command;
  return { file, args };
}

type Kept = Pick<CommandResult, 'output' | 'outputEnd' | 'outputBytes' | 'outputSha256'>;
const nothing: Kept = { output: '', outputBytes: 0, outputSha256: '' };

/** A screen of it: the end of an output says why a command failed. */
const END_CHARS = 2_000;

/** Reads the output back from the log file when the command has ended, so that a flood of output never fills our memory. */
async function keptOf(log: HeldFile, { keepChars, keep, digest }: CommandRequest): Promise<Kept> {
  if (log.fd === null) return nothing;
  const { size } = fstatSync(log.fd);
  // A code point takes at most four bytes.
  const text = log.read(keep, keepChars * 4);
  const output = keep === 'beginning' ? truncateCodePoints(text, keepChars) : lastCodePoints(text, keepChars);
  const isCut = keep === 'beginning' && Buffer.byteLength(output) < size;
  return {
    output,
    ...(isCut && { outputEnd: lastCodePoints(log.read('end', END_CHARS * 4), END_CHARS) }),
    outputBytes: size,
    outputSha256: digest ? await sha256(log.fd, size) : '',
  };
}

async function sha256(fd: number, size: number): Promise<string> {
  const hash = createHash('sha256');
  if (size === 0) return hash.digest('hex');
  for await (const chunk of createReadStream('', { fd, autoClose: false, start: 0, end: size - 1 })) hash.update(chunk);
  return hash.digest('hex');
}
