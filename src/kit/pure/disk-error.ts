import { OperatorError } from './operator-error.ts';

/** The system refuses to keep something: no room, no permission, a disk that fails. Not a bug of ours, and no later try would fare better. */
export function diskRefuses(what: string, cause: unknown): OperatorError {
  return new OperatorError('disk-refuses', what, {
    hint: 'Nothing already written is lost. Free the disk or fix the permissions; a run that had started continues with: ralph runs resume',
    exitCode: 4,
    cause,
  });
}
