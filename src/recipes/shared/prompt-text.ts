import type { AnsweredQuestion } from '../../journal/words/claim.ts';
import { codeSpan, fenced, oneLine, truncateCodePoints } from '../../kit/pure/text.ts';

const LONGEST_LINE = 500;
const LONGEST_BLOCK = 20_000;
const MOST_ITEMS = 50;

/** A title or an id in a prompt: on one line, with a bounded length. */
export function promptLine(text: string): string {
  return truncateCodePoints(oneLine(text), LONGEST_LINE, '...');
}

/** A text of several lines in a prompt; a text that is too long is cut, with a note. */
export function promptBlock(text: string): string {
  return truncateCodePoints(text.replaceAll('\r\n', '\n').trim(), LONGEST_BLOCK, '\n... [cut here, the rest is too long for a prompt]');
}

/** Paths or commands as a list of inline code, each followed by the same text. */
export function promptList(items: readonly string[], said = ''): readonly string[] {
  const lines = items.slice(0, MOST_ITEMS).map((item) => `- ${codeSpan(promptLine(item))}${said}`);
  return items.length > MOST_ITEMS ? [...lines, `- and ${items.length - MOST_ITEMS} more`] : lines;
}

/** What people have answered, for an agent that knows nothing of the questions. Empty: nothing. */
export function answersText(answers: readonly AnsweredQuestion[], about: 'story' | 'task'): string {
  if (answers.length === 0) return '';
  const told = answers.map(({ question, answer }) => `Question:\n\n${fenced(promptBlock(question))}\n\nAnswer:\n\n${fenced(promptBlock(answer))}`);
  return [`A person has answered questions about this ${about}. Keep to the answers; do not ask the same again.`, ...told].join('\n\n');
}

/** How an agent asks. The example in code counts for nothing when it is repeated. */
export const HOW_TO_ASK =
  'If you cannot go on without something that only a person knows or may decide, run `ralph ask "your question"` and end, ' +
  'or end your last message with `<promise>BLOCKED: your question</promise>`. The answer will be in the next prompt. Do not ask what you can find out yourself.';
