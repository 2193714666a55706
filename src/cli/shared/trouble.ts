import { surroundings } from '../../process/surroundings.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

export const BUG = 70;

/** The operator's mistakes get one line and what to do; anything else is a bug of ours and gets its stack. */
export function printTrouble(error: unknown): number {
  if (error instanceof OperatorError) {
    surroundings().stderr.write(`error: ${oneLine(error.message)}\nhint: ${oneLine(error.hint)}\n`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  surroundings().stderr.write(
    `error: this is a bug in ralph, please report it with the lines below. Nothing already journaled is lost: continue with \`ralph runs resume\`.\n${stack}\n`,
  );
  return BUG;
}
