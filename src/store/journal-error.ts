import { OperatorError } from '../kit/pure/operator-error.ts';

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

/** Somebody else wrote in the journal: what the run has done cannot be told from it any more. Null: no single line can be named. */
export function journalTampered(path: string, line: number | null, what: string): OperatorError {
  return new OperatorError('journal-tampered', `The journal ${path} is not what ralph wrote${line === null ? '' : `, from line ${line} on`}: ${what}.`, {
    hint: 'The work itself is as the agents left it: look at it, then start a new run. The folder beside the journal keeps every prompt and output.',
    exitCode: 4,
  });
}
