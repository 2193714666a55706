import type { Claim, ClaimSpec } from '../../journal/words/claim.ts';
import { openClaimDetectors } from './claim-detector.ts';
import { tagPattern, type VisibleTag, visibleTags } from './tags.ts';

/** Looks for a claim in a text that arrives line by line and is not kept: memory is bounded by the prompt, time is linear in the text. */
export interface ClaimScanner {
  /** Takes the next line, without its newline. */
  line(text: string): void;
  /** What has been claimed. Call it at the end: a later line may take a claim back, since a bare word counts only on the last line. */
  claim(): Claim | null;
  /** What it said that somebody might take for a claim; null if there is a claim, or nothing like one. */
  nearClaim(): string | null;
}

/**
 * A claim is the configured word in a tag or alone on a line (see `openDone`), never a word in a sentence. A question is its word and a text in one tag.
 * Quoted text (code block, inline code, block quote) and repetitions of the prompt do not count. With several specs the first that matches is the claim.
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
    nearClaim() {
      echo.end();
      return detector.claim() === null ? detector.near() : null;
    },
  };
}

/** The claim in the last message of an agent, by the scanner's rules. */
export function findClaim(text: string, specs: readonly ClaimSpec[], prompt: string): Claim | null {
  return scanned(text, specs, prompt).claim();
}

export function findNearClaim(text: string, specs: readonly ClaimSpec[], prompt: string): string | null {
  return scanned(text, specs, prompt).nearClaim();
}

function scanned(text: string, specs: readonly ClaimSpec[], prompt: string): ClaimScanner {
  const scanner = openClaimScanner(specs, prompt);
  for (const line of text.split('\n')) scanner.line(line);
  return scanner;
}

/** Enough for list markers, a fence or a quote sign; the rest does not change what kind of line it is. */
const headChars = 200;

/**
 * A quote sign or a fence. Agents put both under list items, so indentation and list markers may come first. Tildes only count at the start of the line,
 * because compilers underline their errors with indented ones.
 */
const opener = /^(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(>|`{3,})|(~{3,}))/;
const onlyFence = /^(?:`{3,}|~{3,})$/;

/**
 * Tells, line by line and in order, whether a line is quoted: in a block quote (`>`), or in a fenced code block, including its fences. A fence that is never
 * closed reaches to the end. Indentation alone is not code: agents indent under list items, and wrappers indent whole logs.
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

/** `>`, or the fence that starts here. A line that contains the fence's character again is inline code or a banner, not the start of a block. */
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

/** The longest text that a command may print before the prompt on its first line, such as `Prompt: `. */
const longestLead = 200;

/** Replaces the prompt where it was cut out of a line, so that the rest is never taken for a whole line. */
const cut = '…';

/** Passes lines on, except those that repeat the whole prompt. Holds back lines that may turn out to repeat it, never more than the prompt has. */
export interface PromptEcho {
  line(text: string): void;
  /** After the last line: passes on the lines that are held back. */
  end(): void;
}

/** The prompt as it would be echoed: its lines without trailing space, or none for a blank prompt. */
export function promptLines(prompt: string): readonly string[] {
  const text = prompt.trim();
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}

/**
 * The algorithm of Knuth, Morris and Pratt, on lines. The first line may have a lead and, if the prompt has several lines, the last one a tail; a tag in
 * those still counts, a bare word does not. Held lines equal the prompt's, so only the first of them is kept.
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

/** For each length from the start: the most lines that are both the beginning and the end of that stretch. */
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

/** Removes the prompt's own words about claims from a line: the result contains no tag that only repeats the prompt. */
export type CutEchoedTags = (line: string) => string;

/**
 * A line is an echo if it equals a prompt line with a tag and more ("When finished print <response>DONE</response>"). A prompt of one such line is also an
 * echo inside a line. A prompt line with only the tag is an example to follow, so an agent may print exactly that.
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

/** More means a word outside the tag: bullets, bold and full stops are only decoration. */
function holdsTagAndMore(line: string, pattern: RegExp): boolean {
  const [first, second] = visibleTags(line, pattern);
  if (first === undefined) return false;
  const before = first.form === 'closing' ? '' : line.slice(0, first.start);
  return /\p{L}/u.test(before + line.slice(endOfClaim(first, second, line)));
}

/** The content of a tag that is not closed in its line is the rest of the line. */
function endOfClaim(first: VisibleTag, second: VisibleTag | undefined, line: string): number {
  if (first.form !== 'opening') return first.end;
  return second?.form === 'closing' ? second.end : line.length;
}
