import type { Claim, ClaimSpec } from '../../journal/words/claim.ts';
import { openClaimDetectors } from './claim-detector.ts';
import { tagPattern, type VisibleTag, visibleTags } from './visible-text.ts';

/** Looks for a claim in a text that comes line by line and is never kept: memory is bounded by the prompt, time is linear in the text. */
export interface ClaimScanner {
  /** The next line, without its newline. */
  line(text: string): void;
  /** What has been claimed. Ask at the end: a line may take a claim back, since a word counts only as the last one. */
  claim(): Claim | null;
}

/**
 * A claim is the configured word in a tag, or alone on a line (see `openDone`); never a word in a sentence. A question is its word and a text, in one
 * tag. Quoted text (code block, inline code, block quote) and what repeats the prompt does not count. With several specs the first that is met is
 * the claim.
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

/** What the last message of an agent claims, by the scanner's rules. */
export function findClaim(text: string, specs: readonly ClaimSpec[], prompt: string): Claim | null {
  const scanner = openClaimScanner(specs, prompt);
  for (const line of text.split('\n')) scanner.line(line);
  return scanner.claim();
}

/** Enough to see list markers, a fence or a quote sign; what follows cannot change what a line is. */
const headChars = 200;

/**
 * A quote sign or a fence. Agents put both under list items, so any indentation and any list markers may come first; but tildes only count at the
 * line's start, for compilers underline their errors with indented ones.
 */
const opener = /^(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(>|`{3,})|(~{3,}))/;
const onlyFence = /^(?:`{3,}|~{3,})$/;

/**
 * Tells, line by line and in order, whether a line is quoted: in a block quote (`>`), or in a fenced code block with its fences. A fence that is
 * never closed reaches to the end. Indentation alone is no code: agents indent under list items, and wrappers indent whole logs.
 */
function openQuotedLines(): (line: string) => boolean {
  let fence: string | null = null;
  return (line) => {
    if (fence !== null) {
      if (closes(line, fence)) fence = null;
      return true;
    }
    const sign = openingSign(line);
    if (sign !== '>') fence = sign;
    return sign !== null;
  };
}

/** `>`, or the fence that begins here. A line that holds the fence's character again is inline code or a banner, not the start of a block. */
function openingSign(line: string): string | null {
  const found = opener.exec(line.slice(0, headChars));
  const sign = found?.[1] ?? found?.[2];
  if (found === null || sign === undefined) return null;
  return sign !== '>' && line.includes(sign.charAt(0), found[0].length) ? null : sign;
}

function closes(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.startsWith(fence) && bare.length <= headChars && onlyFence.test(bare);
}

/** What a command may print before the prompt on its first line, such as `Prompt: `. */
const longestLead = 200;

/** Stands for the prompt where it was cut out of a line, so that what is left of the line is never taken for a whole one. */
const cut = '…';

/** Lets lines pass but for those that repeat the whole prompt. Lines that may yet turn out to repeat it are held back, never more than the prompt has. */
export interface PromptEcho {
  line(text: string): void;
  /** No more lines: lets the held ones pass. */
  end(): void;
}

/** The prompt as it would be echoed: its lines without trailing space, none for a blank prompt. */
export function promptLines(prompt: string): readonly string[] {
  const text = prompt.trim();
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}

/**
 * Knuth, Morris and Pratt on lines. The first line may have a lead and, when the prompt has several lines, the last one a tail; a tag in those still
 * counts, a bare word does not. Held lines equal the prompt's, so only the first of them is kept.
 */
export function openPromptEcho(prompt: readonly string[], pass: (line: string) => void): PromptEcho {
  const first = prompt[0];
  if (first === undefined) return { line: pass, end: () => undefined };
  const borders = bordersOf(prompt);
  const last = prompt.at(-1) ?? first;
  let held = 0;
  let firstHeld = first;

  const begins = (line: string) => {
    const leadChars = line.length - first.length;
    return leadChars <= longestLead && line.endsWith(first) && (prompt.length > 1 || line.trimStart() === first);
  };
  const continues = (line: string) => (held === prompt.length - 1 ? line.startsWith(last) : line === prompt[held]);
  const release = (count: number) => {
    for (let index = 0; index < count; index += 1) pass(index === 0 ? firstHeld : (prompt[index] ?? ''));
    held -= count;
    firstHeld = first;
  };
  const cutOut = (line: string) => {
    held = 0;
    if (prompt.length === 1) return;
    const lead = firstHeld.slice(0, firstHeld.length - first.length).trim();
    const tail = line.slice(last.length).trim();
    if (lead !== '') pass(lead + cut);
    if (tail !== '') pass(cut + tail);
  };

  return {
    line(text) {
      const line = text.trimEnd();
      while (held > 0 && !continues(line)) release(held - (borders[held] ?? 0));
      if (held === 0) {
        if (!begins(line)) return pass(line);
        firstHeld = line;
      }
      held += 1;
      if (held === prompt.length) cutOut(line);
    },
    end: () => release(held),
  };
}

/** For every number of lines from the start: how many of them, at most, are at once the end and the beginning of that stretch. */
function bordersOf(lines: readonly string[]): readonly number[] {
  const borders = [0, 0];
  let border = 0;
  for (let index = 1; index < lines.length; index += 1) {
    while (border > 0 && lines[index] !== lines[border]) border = borders[border] ?? 0;
    if (lines[index] === lines[border]) border += 1;
    borders.push(border);
  }
  return borders;
}

/** Takes the prompt's own talk about claims out of a line: what is returned holds no tag that only repeats the prompt. */
export type CutEchoedTags = (line: string) => string;

/**
 * A line that is a prompt line with a tag and more is an echo ("When finished print <response>DONE</response>"); so is a prompt of one such line
 * anywhere in a line. A prompt line that is nothing but the tag is an example to follow: an agent may say just that.
 */
function openEchoedTags(prompt: readonly string[], pattern: RegExp): CutEchoedTags {
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
