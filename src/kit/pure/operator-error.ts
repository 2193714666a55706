interface OperatorErrorOptions {
  /** What to do about it, in one sentence. */
  readonly hint: string;
  /** 2: usage or configuration. 3: a person is needed. 4: the environment. */
  readonly exitCode: 2 | 3 | 4;
  readonly cause?: unknown;
}

/** The operator's mistake, not ours: printed as one line without a stack. The code is stable, for scripts and for the docs. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly code: string;
  readonly hint: string;
  readonly exitCode: 2 | 3 | 4;

  constructor(code: string, message: string, { hint, exitCode, cause }: OperatorErrorOptions) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** The system refuses to keep something: no room, no permission, a disk that fails. Not a bug of ours, and no later try would fare better. */
export function diskRefuses(what: string, cause: unknown): OperatorError {
  return new OperatorError('disk-refuses', what, {
    hint: 'Nothing already written is lost. Free the disk or fix the permissions; a run that had started continues with: ralph runs resume',
    exitCode: 4,
    cause,
  });
}
