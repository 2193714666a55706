import { sameWord } from './tags.ts';

/** How a text relates to the word that claims completion. docs/guide/when-a-run-ends.md has the table, and a test holds every row of it. */
export interface WordForDone {
  /** The word in any case; in bold or with a full stop only in the configured case, because many answers end with "Done." and mean less. */
  isSaidBy(text: string): boolean;
  /** Whether somebody might take the text for a claim, although it is none: another word of that meaning, or the word behind a sentence. */
  isMeantBy(text: string): boolean;
}

export function wordForDone(word: string): WordForDone {
  const isWord = sameWord(word);
  const exact = word.trim();
  const isSaidBy = (text: string) => isWord(text) || (exact !== '' && undecorated(text) === exact);
  return {
    isSaidBy,
    isMeantBy(text) {
      const bare = undecorated(text);
      if (bare === '' || isSaidBy(text)) return false;
      return isWord(bare) || MEANS_DONE.test(bare) || (bare.endsWith(exact) && /[.!?:]\s+[*_]*$/.test(bare.slice(0, -exact.length)));
    },
  };
}

const MEANS_DONE = /^(?:(?:i am|i'm|it is|it's|all|everything|task|tasks|work|is|are|now)\s+)*(?:done|complete|completed|finished|success|successful)$/i;

const LONGEST = 300;

/** The text without bold or italic signs around it, and without a full stop or exclamation mark at its end; empty for a long one, which is no word. */
function undecorated(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > LONGEST ? '' : trimmed.replace(/^[\s*_]+|[\s*_.!]+$/g, '');
}
