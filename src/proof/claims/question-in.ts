import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';
import { sameWord } from './same-word.ts';

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** More than anybody reads of one question. */
const LONGEST_CHARS = 2000;

/** What somebody is asked by the content of a promise, `WORD: text`; null when it asks nothing. */
type QuestionIn = (content: string) => string | null;

/**
 * The word counts in any case; a text without a single letter, or that only repeats an example of the prompt (`BLOCKED:reason`), asks nothing. A longer
 * text than anybody reads is cut.
 */
export function openQuestionIn(word: string, prompt: string): QuestionIn {
  const isWord = sameWord(word);
  const textOf = (content: string): string => {
    const colon = content.indexOf(':');
    return colon !== -1 && isWord(content.slice(0, colon)) ? content.slice(colon + 1).trim() : '';
  };
  const examples = new Set(promisesIn(prompt).map((content) => likeAnExample(textOf(content))));
  return (content) => {
    const text = textOf(content);
    if (!SAYS_SOMETHING.test(text) || examples.has(likeAnExample(text))) return null;
    return truncateCodePoints(text, LONGEST_CHARS, '…');
  };
}

/** All of them, also those in code: that is how a prompt shows what to say. */
function promisesIn(prompt: string): readonly string[] {
  return prompt.split(/<promise>/i).flatMap((rest, index) => {
    const [content, end] = index === 0 ? [] : rest.split(/<\/promise>/i, 2);
    return content !== undefined && end !== undefined ? [content] : [];
  });
}

/** Only so much of a text is compared: an example is short. */
function likeAnExample(text: string): string {
  return text.slice(0, LONGEST_CHARS).replaceAll(/\s+/g, ' ').toLowerCase();
}
