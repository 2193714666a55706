import { surroundings } from '../../process/surroundings.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** Where the command was given. Somebody may have removed it under the shell that is still in it. */
export function currentDirectory(): string {
  try {
    return surroundings().cwd();
  } catch (cause) {
    throw new OperatorError('no-directory', 'the current directory is gone', { hint: 'Change to one that exists.', exitCode: 4, cause });
  }
}
