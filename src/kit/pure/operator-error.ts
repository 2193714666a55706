interface OperatorErrorOptions {
  /** What to do about it, in one sentence. */
  readonly hint: string;
  /** 2: usage or configuration. 3: a person is needed. 4: the environment. */
  readonly exitCode: 2 | 3 | 4;
  readonly cause?: unknown;
}

/** A mistake of the operator, not a bug: printed as one line without a stack. The code is stable, for scripts and the docs. */
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

/** The system refuses to write: the disk is full or broken, or a permission is missing. It is not a bug, and a retry would not help. */
export function diskError(what: string, cause: unknown): OperatorError {
  return new OperatorError('disk-refuses', what, {
    hint: 'Nothing already written is lost. Free the disk or fix the permissions; a run that had started continues with: ralph runs resume',
    exitCode: 4,
    cause,
  });
}
