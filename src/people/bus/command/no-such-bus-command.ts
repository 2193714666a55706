import { truncateCodePoints } from '../../../kit/pure/truncate-code-points.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';

/** For `ralph bus` with no word after it, or with one that is none of its commands. */
export function noSuchBusCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined ? 'ralph bus needs a word: post, read, tail, discover or answer' : `unknown command 'bus ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph bus --help shows what there is.', exitCode: 2 });
}
