import { diskRefuses } from '../pure/operator-error.ts';

/** What the system says when it has no room or gives no permission. */
const REFUSALS: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE']);

/** Does it; an error of the system comes out as the operator's, in one line. Wherever we write, this is the net below. */
export async function explaining<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(firstOf(error));
  }
}

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !REFUSALS.has(error.code)) return error;
  return diskRefuses(error.message, error);
}

/** What went wrong first: an error while cleaning up after it is only its echo. */
function firstOf(error: unknown): unknown {
  return error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error ? firstOf(error.suppressed) : error;
}
