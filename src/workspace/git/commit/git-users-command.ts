import { stripVTControlCharacters } from 'node:util';
import type { CommitRequest } from '../../../engine/ports/git.ts';
import { openHeldFile } from '../../../kit/files/write.ts';
import { formatDuration } from '../../../kit/pure/amounts.ts';
import { oneLine, truncateCodePoints } from '../../../kit/pure/text.ts';
import { type ProcessEnding, type ProcessWatch, UNFOLLOWED } from '../../../process/process-request.ts';
import { runProcess } from '../../../process/run-process.ts';
import { inSandbox } from '../../../sandbox/in-sandbox.ts';
import { asLowAs, type Variables } from '../git-command.ts';
import type { Behind } from '../git-place.ts';

interface UsersCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Variables;
  readonly guardian: ProcessWatch;
  /** Null: it runs without a sandbox. */
  readonly behind: Behind | null;
  readonly timeoutMs: number;
}

export interface CommandAnswer {
  readonly isClean: boolean;
  /** One line that says why it is not clean. */
  readonly detail: string;
}

/** How much of the end is searched for the most informative line. */
const END_BYTES = 64 * 1024;
/** Enough for a chatty hook; one that never stops is ended before the disk is full. */
const MOST_LOG_BYTES = 100 * 1024 * 1024;

/**
 * Runs a git that may run the operator's hooks, or writes the operator's index. It is asked to end before it is killed, so that it removes its locks. An
 * agent may have written the hooks, since they are often files of the work tree: they run inside the agent's sandbox.
 */
export async function runUsersCommand(command: UsersCommand, request: Pick<CommitRequest, 'marker' | 'logFile'>, signal: AbortSignal): Promise<CommandAnswer> {
  using log = openHeldFile(request.logFile);
  const { file, args, cwd, env, behind, guardian, timeoutMs } = command;
  const call = { who: 'gate' as const, file, args, cwd, env: withNobodyToAsk(asLowAs(behind?.env ?? env, env)) };
  await using enclosed = await inSandbox(behind?.wall, call);
  log.make();
  const ending = await runProcess(
    {
      ...enclosed.process,
      stdin: '',
      marker: request.marker,
      stdoutFile: request.logFile,
      stdoutFd: log.fd,
      stderrFile: 'merged',
      deadlineMs: timeoutMs,
      maxOutputBytes: MOST_LOG_BYTES,
      guardian,
      ...UNFOLLOWED,
    },
    signal,
  );
  return { isClean: ending.kind === 'exited' && ending.code === 0, detail: whatWasWrong(ending, timeoutMs, () => log.read('end', END_BYTES)) };
}

/** No editor opens, nobody is asked for a password or a passphrase on the terminal of the loop, and git prints the language that Ralph parses. */
function withNobodyToAsk({ GPG_TTY: _, ...env }: Variables): Variables {
  return { ...env, GIT_TERMINAL_PROMPT: '0', SSH_ASKPASS_REQUIRE: 'never', GIT_EDITOR: 'false', GIT_SEQUENCE_EDITOR: 'false', LANGUAGE: 'en' };
}

function whatWasWrong(ending: ProcessEnding, timeoutMs: number, lastWords: () => string): string {
  switch (ending.kind) {
    case 'never-started':
      return ending.message;
    case 'stopped':
      if (ending.cause === 'deadline') return `timed out after ${formatDuration(timeoutMs)}`;
      return ending.cause === 'cancelled' ? `cancelled: ${ending.detail}` : ending.detail;
    case 'signalled':
      return `git was ended by ${ending.signal}`;
    case 'exited':
      return tellingLine(lastWords(), ending.code) ?? `git ended with code ${ending.code} and said nothing; a hook may have refused`;
  }
}

const LONGEST = 300;

/** Git's exit code when it gives up itself, rather than because a hook refused. */
const GAVE_UP = 128;

/**
 * The most informative line about a failure. A hook sums up at its end. Git says why before it gives up (`error: gpg failed …`, then `fatal: …`), and may
 * print a page of advice after that. Null if there is no output.
 */
export function tellingLine(output: string, code: number): string | null {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => oneLine(stripVTControlCharacters(line)))
    .filter(Boolean);
  const complaints = lines.filter((line) => /^(error|fatal): /.test(line));
  const last = lines.at(-1);
  const line = complaints.length > 0 && (code === GAVE_UP || last === complaints.at(-1)) ? complaints.slice(-2).join('; ') : last;
  return line === undefined ? null : truncateCodePoints(line, LONGEST);
}
