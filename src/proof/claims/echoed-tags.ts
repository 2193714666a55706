import { type VisibleTag, visibleTags } from './visible-tags.ts';

/** Takes the prompt's own talk about claims out of a line: what is returned holds no tag that only repeats the prompt. */
export type CutEchoedTags = (line: string) => string;

/**
 * A line that is a prompt line with a tag and more is an echo ("When finished print <response>DONE</response>"); so is a prompt of one such line
 * anywhere in a line. A prompt line that is nothing but the tag is an example to follow: an agent may say just that.
 */
export function openEchoedTags(prompt: readonly string[], pattern: RegExp): CutEchoedTags {
  const echoes = new Set(prompt.map((line) => line.trim()).filter((line) => holdsTagAndMore(line, pattern)));
  if (echoes.size === 0) return (line) => line;
  const whole = prompt.length === 1 ? (prompt[0] ?? '').trim() : null;
  return (line) => {
    if (whole !== null) return line.replaceAll(whole, '…');
    return echoes.has(line.trim()) ? '…' : line;
  };
}

/** More is a word outside the tag: bullets, bold and full stops are only decoration. */
function holdsTagAndMore(line: string, pattern: RegExp): boolean {
  const [first, second] = visibleTags(line, pattern);
  if (first === undefined) return false;
  const before = first.form === 'closing' ? '' : line.slice(0, first.start);
  return /\p{L}/u.test(before + line.slice(endOfClaim(first, second, line)));
}

/** A tag that is opened but not closed in its line has the rest of the line as its content. */
function endOfClaim(first: VisibleTag, second: VisibleTag | undefined, line: string): number {
  if (first.form !== 'opening') return first.end;
  return second?.form === 'closing' ? second.end : line.length;
}
