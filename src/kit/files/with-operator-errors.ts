import { diskError } from '../pure/operator-error.ts';

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
