import { OperatorError } from './operator-error.ts';

/** The journal cannot be written any more: the run stops, and what was written stays. */
export function journalLost(path: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError('journal-lost', `The journal ${path} cannot be written (${reason}).`, {
    hint: 'Nothing already written is lost. Free the disk or fix the permissions, then continue with: ralph runs resume',
    exitCode: 4,
    cause,
  });
}

/** The journal is not what we wrote: guessing would be worse than stopping. */
export function journalUnreadable(path: string, line: number, what: string): OperatorError {
  return new OperatorError('journal-unreadable', `${path} line ${line}: ${what}.`, {
    hint: 'Start a new run; the folder beside the journal keeps every prompt and output.',
    exitCode: 4,
  });
}
