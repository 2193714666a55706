import type { Claim, ClaimSpec } from '../../journal/words/claim.ts';
import { openClaimDetectors } from './claim-detector.ts';
import { openEchoedTags } from './echoed-tags.ts';
import { openPromptEcho, promptLines } from './prompt-echo.ts';
import { openQuotedLines } from './quoted-lines.ts';
import { tagPattern, visibleTags } from './visible-tags.ts';

/** Looks for a claim in a text that comes line by line and is never kept: memory is bounded by the prompt, time is linear in the text. */
export interface ClaimScanner {
  /** The next line, without its newline. */
  line(text: string): void;
  /** What has been claimed. Ask at the end: a line may take a claim back, since a word counts only as the last one. */
  claim(): Claim | null;
}

/**
 * A claim is exact: the word in its tag, or alone on its line; never a word in a sentence, never with a full stop or in bold. A question is its
 * word and a text, in one tag. What is quoted (code block, inline code, block quote) and what echoes the prompt does not count. With several
 * specs the first that is met is the claim.
 */
export function openClaimScanner(specs: readonly ClaimSpec[], prompt: string): ClaimScanner {
  const detector = openClaimDetectors(specs, prompt);
  const pattern = tagPattern(specs);
  const told = promptLines(prompt);
  const isQuoted = openQuotedLines();
  const withoutEchoes = openEchoedTags(told, pattern);

  const judge = (text: string) => {
    if (text.trim() === '') return;
    if (isQuoted(text)) return detector.quoted();
    const line = withoutEchoes(text);
    for (const tag of visibleTags(line, pattern)) detector.tag(tag, line);
    detector.line(line);
  };

  const echo = openPromptEcho(told, judge);
  return {
    line: echo.line,
    claim() {
      echo.end();
      return detector.claim();
    },
  };
}
