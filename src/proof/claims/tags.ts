import type { ClaimSpec } from '../../journal/words/claim.ts';

/** One tag in a line: `<name>` opens, `</name>` closes, `<name/>` is empty. */
export interface VisibleTag {
  readonly name: string;
  readonly form: 'opening' | 'closing' | 'empty';
  readonly start: number;
  readonly end: number;
}

/** Finds the tags in which these claims are made. The words are literal text, whatever characters they contain. */
export function tagPattern(specs: readonly ClaimSpec[]): RegExp {
  const names = new Set(specs.flatMap(namesOf));
  return new RegExp(`<(/?)(${[...names].map(escaped).join('|')})( ?/)?>`, 'gi');
}

function namesOf({ kind, word }: ClaimSpec): readonly string[] {
  if (kind === 'question') return ['promise'];
  return ['response', 'promise', word.trim().normalize('NFC'), word.trim().normalize('NFD')];
}

/** The tags of one line from left to right, except those in inline code. */
export function* visibleTags(line: string, pattern: RegExp): Generator<VisibleTag> {
  if (line.search(pattern) === -1) return;
  let isCode: ((position: number) => boolean) | null = null;
  for (const match of line.matchAll(pattern)) {
    isCode ??= openCodeSpans(line);
    if (isCode(match.index)) continue;
    const [whole, closing, name = '', empty] = match;
    yield { name, form: closing ? 'closing' : empty ? 'empty' : 'opening', start: match.index, end: match.index + whole.length };
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/**
 * Tells whether a position of the line is in an inline code span: from a run of backticks to the next run of the same length. Positions must be asked in
 * ascending order. The whole line costs two passes, however many backticks it has.
 */
function openCodeSpans(line: string): (position: number) => boolean {
  if (!line.includes('`')) return () => false;
  const lastStarts = lastStartOfEachLength(line);
  const runs = /`+/g;
  let start = 0;
  let end = 0;

  const nextSpan = () => {
    for (let run = runs.exec(line); run !== null; run = runs.exec(line)) {
      const length = run[0].length;
      if ((lastStarts.get(length) ?? 0) <= run.index) continue;
      start = run.index;
      end = closingEnd(line, runs, length);
      return;
    }
    start = end = Number.POSITIVE_INFINITY;
  };

  return (position) => {
    while (end <= position) nextSpan();
    return start <= position;
  };
}

/** With the last start of each length, an opening run without a partner is recognised without a search to the end of the line. */
function lastStartOfEachLength(line: string): Map<number, number> {
  const starts = new Map<number, number>();
  const runs = /`+/g;
  for (let run = runs.exec(line); run !== null; run = runs.exec(line)) starts.set(run[0].length, run.index);
  return starts;
}

function closingEnd(line: string, runs: RegExp, length: number): number {
  for (let run = runs.exec(line); run !== null; run = runs.exec(line)) {
    if (run[0].length === length) return runs.lastIndex;
  }
  return line.length;
}

/** How far a tag may span lines, since agents break lines. A tag that is only mentioned must not swallow the whole text. */
export interface LongestTag {
  readonly lines: number;
  readonly chars: number;
}

/** Enough for a word, however it is set. */
const aroundAWord: LongestTag = { lines: 20, chars: 2000 };

/** What the pairs `<name>…</name>` seen so far contain: the word, something else, or nothing at all. */
export interface PairedTag {
  /** The next tag of any name in this line. */
  tag(tag: VisibleTag, line: string): void;
  /** After the tags of a line. */
  endOfLine(line: string): void;
  /** Something is in between, such as code: a tag does not reach across it. */
  interrupt(): void;
  verdict(): 'word' | 'other' | 'silent';
}

interface OpenTag {
  /** Where its content continues in the current line. */
  readonly from: number;
  readonly content: string;
  readonly lines: number;
}

interface PairedTagRules {
  /** `first`: the first pair decides, whatever follows. `any`: one pair with the word is enough. */
  readonly counts: 'first' | 'any';
  readonly longest?: LongestTag;
}

export function openPairedTag(name: string, isWord: (content: string) => boolean, { counts, longest = aroundAWord }: PairedTagRules): PairedTag {
  let verdict: 'word' | 'other' | 'silent' = 'silent';
  let open: OpenTag | null = null;
  const isDecided = () => verdict === 'word' || (verdict === 'other' && counts === 'first');

  // In one line the first opening tag counts, as in the seed's expression; one from an earlier line was only mentioned.
  const opened = (tag: VisibleTag) => {
    if (open === null || open.lines > 0) open = { from: tag.end, content: '', lines: 0 };
  };
  const closed = (tag: VisibleTag, line: string) => {
    if (open === null) return;
    verdict = isWord(open.content + line.slice(open.from, tag.start)) ? 'word' : 'other';
    open = null;
  };

  return {
    tag(tag, line) {
      if (isDecided() || tag.name.toLowerCase() !== name) return;
      if (tag.form === 'opening') opened(tag);
      if (tag.form === 'closing') closed(tag, line);
    },
    endOfLine(line) {
      if (open !== null) open = carriedOver(open, line, longest);
    },
    interrupt() {
      open = null;
    },
    verdict: () => verdict,
  };
}

function carriedOver({ from, content, lines }: OpenTag, line: string, longest: LongestTag): OpenTag | null {
  const chars = content.length + line.length - from;
  if (chars > longest.chars || lines + 1 >= longest.lines) return null;
  return { from: 0, content: `${content}${line.slice(from)}\n`, lines: lines + 1 };
}

/** Upper-casing and composing change the length of a text by this factor at most. */
const stretch = 4;

/**
 * Tells whether a text is exactly this word: trimmed, in any case, in any composition. Uses Unicode's own upper case, so that no locale decides whether a run
 * is done. A blank word never matches.
 */
export function sameWord(word: string): (text: string) => boolean {
  const wanted = fold(word.trim());
  if (wanted === '') return () => false;
  return (text) => {
    const said = text.trim();
    return said.length <= wanted.length * stretch && fold(said) === wanted;
  };
}

const fold = (text: string) => text.normalize('NFC').toUpperCase();
