import type { Exception } from '../agents/function-agent.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';

/** A chain of causes that is longer leads in a circle. */
const LONGEST_CHAIN = 10;
const CANNOT_START: ReadonlySet<unknown> = new Set(['ENOENT', 'EACCES', 'EPERM']);

/**
 * What an exception of the root agent means (seed 002): what could not be started, or is configured wrongly, will be no better next time;
 * all else is worth another life. An error that knows an exit code stands for a process that had it.
 */
export function judgeException(error: unknown): Exception {
  const chain = causesOf(error);
  return { isFatal: chain.some(isFatal), exitCode: chain.map(exitCodeIn).find((code) => code !== null) ?? 1 };
}

interface Known {
  readonly cause?: unknown;
  readonly fatal?: unknown;
  readonly code?: unknown;
  readonly exitCode?: unknown;
  readonly syscall?: unknown;
}

function causesOf(error: unknown): readonly Known[] {
  const chain: Known[] = [];
  for (let cause = error; typeof cause === 'object' && cause !== null && chain.length < LONGEST_CHAIN; cause = (cause as Known).cause) chain.push(cause);
  return chain;
}

function isFatal(error: Known): boolean {
  return error instanceof OperatorError || error.fatal === true || (CANNOT_START.has(error.code) && isAboutStarting(error));
}

/** A file that was not found is no missing agent. An error without a system call is somebody's own, such as that of a search on PATH. */
function isAboutStarting({ syscall }: Known): boolean {
  return syscall === undefined || String(syscall).startsWith('spawn');
}

/** `code` is what Node's own `execFile` tells it by. */
function exitCodeIn({ exitCode, code }: Known): number | null {
  const said = exitCode ?? code;
  return typeof said === 'number' && Number.isInteger(said) && said > 0 && said < 256 ? said : null;
}
