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
