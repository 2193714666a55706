import { truncateCodePoints } from '../../kit/pure/truncate-code-points.ts';

export interface ExcerptLimits {
  readonly lines: number;
  /** Of each line, in code points. */
  readonly lineChars: number;
}

export interface Excerpt {
  readonly shown: readonly string[];
  /** How far into the text the shown lines reach, blank ones between them included. */
  readonly usedLines: number;
}

/** What is looked at at all: nothing behind it costs anything. */
const HEAD_CHARS = 8192;

/** The first lines of a text that say something. It is cut before it is split, so that a flood costs no more than a page. */
export function excerpt(text: string, limits: ExcerptLimits): Excerpt {
  const shown: string[] = [];
  let usedLines = 0;
  for (const [index, each] of linesOf(text, HEAD_CHARS).entries()) {
    if (shown.length === limits.lines) break;
    if (each.trim() === '') continue;
    shown.push(shorten(each, limits.lineChars));
    usedLines = index + 1;
  }
  return { shown, usedLines };
}

/** The lines of a text's beginning, whichever system wrote their ends. */
export function linesOf(text: string, headChars: number): readonly string[] {
  return text.slice(0, headChars).split(/\r?\n/);
}

/** The first line, and of that no more than `maximum` code points, the last three of them dots if it was cut (seed 001). */
export function shorten(text: string, maximum: number): string {
  const [first = ''] = linesOf(text, 2 * maximum + 2);
  return truncateCodePoints(first, maximum) === first ? first : truncateCodePoints(first, maximum - 3, '...');
}
