import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** For `ralph task` with no word after it, or with one that is none of its commands. */
export function noSuchTaskCommand(word: string | undefined): OperatorError {
  const what =
    word === undefined
      ? 'ralph task needs a word: next, prompt, claim, complete, reset, list, show, graph, check or audit'
      : `unknown command 'task ${truncateCodePoints(word, 60, '…')}'`;
  return new OperatorError('usage', what, { hint: 'ralph task --help shows what there is.', exitCode: 2 });
}
