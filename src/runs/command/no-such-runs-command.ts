import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** For `ralph runs` with no word after it, or with one that is none of its commands. */
export function noSuchRunsCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph runs needs a word: list, show, tail, stop, pause, drain, resume or prune'
      : `unknown command 'runs ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph runs --help shows what there is.', exitCode: 2 });
}
