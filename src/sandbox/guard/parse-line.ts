import { type ParsedScript, parse } from 'unbash';

/** Longer lines are not read: nobody could say what they do. */
const LONGEST_LINE = 128 * 1024;

/** Braces side by side cost the parser their number times their length. */
const MOST_BRACE_WORK = 40_000_000;
const MOST_HERE_DOCUMENTS_A_LINE = 200;

/** What a shell makes of a text; null: it is too long or too tangled to be read in time. Never throws. */
export function parseLine(text: string): ParsedScript | null {
  if (text.length > LONGEST_LINE || isTangled(text)) return null;
  try {
    return parse(text);
  } catch {
    return null;
  }
}

function isTangled(text: string): boolean {
  let work = 0;
  for (const run of text.matchAll(/\S+/g)) {
    const [word] = run;
    if (word.length > 200) work += word.length * countOf(word, '{');
    if (work > MOST_BRACE_WORK) return true;
  }
  return text.split('\n').some((line) => line.length > MOST_HERE_DOCUMENTS_A_LINE && line.split('<<').length > MOST_HERE_DOCUMENTS_A_LINE);
}

const countOf = (word: string, letter: string) => word.split(letter).length - 1;
