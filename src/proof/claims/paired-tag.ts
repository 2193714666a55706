import type { VisibleTag } from './visible-text.ts';

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
