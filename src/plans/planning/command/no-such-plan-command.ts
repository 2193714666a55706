import { truncateCodePoints } from '../../../kit/pure/truncate-code-points.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';

/** For `ralph plan` with no word after it, or with one that is none of its commands. */
export function noSuchPlanCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined ? 'ralph plan needs a word: init, new, check, status or archive' : `unknown command 'plan ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph plan --help shows what there is.', exitCode: 2 });
}
