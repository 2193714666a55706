import { splitWords } from '../kit/pure/split-words.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';

/** The words of a command or a flag as the operator wrote it: `--model opus` is two. No shell is asked. */
export function wordsOf(text: string): readonly string[] {
  const split = splitWords(text);
  if (split.kind === 'words') return split.words;
  throw new OperatorError('unterminated-word', `There is an open ${split.by} in: ${text}`, {
    hint: 'Close the quote, or put a backslash before it.',
    exitCode: 2,
  });
}
