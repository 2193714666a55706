import { OperatorError } from '../../kit/pure/operator-error.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';

/** For `ralph worktree` with no word after it, or with one that is none of its commands. */
export function noSuchWorktreeCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined ? 'ralph worktree needs a word: new, list, remove or clean' : `unknown command 'worktree ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph worktree --help shows what there is.', exitCode: 2 });
}
