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

/** Error codes for a full disk, missing permissions and similar refusals of the system. */
const REFUSALS: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE']);

/** Runs `work` and turns an error of the file system into an OperatorError. It is the last safety net around everything that writes. */
export async function withOperatorErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(firstOf(error));
  }
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !REFUSALS.has(error.code)) return error;
  return diskError(error.message, error);
}

/** The first error: one during the clean-up is only its consequence. */
function firstOf(error: unknown): unknown {
  return error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error ? firstOf(error.suppressed) : error;
}
