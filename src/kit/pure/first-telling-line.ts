import { oneLine } from './one-line.ts';
import { printable } from './printable.ts';
import { truncateCodePoints } from './truncate-code-points.ts';

const MOST_CHARS = 200;

/** `src/auth.py:42:1: F841 …`, `src/a.ts(3,5): error …`: a place, and what is wrong there. */
const PLACE = /^[^\s:()]+\.\w+(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))[:\s]+\S/;
const HARMLESS = /\b(?:note|info|warning|help)\b\s*:/i;

const TROUBLE = /\b(?:error|fail(?:ed|ure|s)?|exception|fatal|panic(?:ked)?|not ok|assert\w*|cannot|undefined)\b|\w(?:Error|Exception)\b/i;
/** Sums such as `0 failed` say that all is well; `at …` and `throw …` only show where an error came by. */
const NO_TROUBLE = /\b(?:0|no) (?:error|fail)|^(?:at|throw) /i;

/** The line that says most of what went wrong: the first with a place and a complaint, else the first that complains, else the last. Empty when nothing was said. */
export function firstTellingLine(output: string): string {
  const lines = output
    .split(/[\r\n]+/)
    .map((line) => oneLine(printable(line)))
    .filter(Boolean);
  const telling = lines.find((line) => PLACE.test(line) && !HARMLESS.test(line)) ?? lines.find((line) => TROUBLE.test(line) && !NO_TROUBLE.test(line));
  return truncateCodePoints(telling ?? lines.at(-1) ?? '', MOST_CHARS - 1, '…');
}
