import { styleText } from 'node:util';
import { printable } from '../../kit/pure/text.ts';
import type { Line, Span, Tone } from '../console/line.ts';
import { columns, cutToColumns } from '../console/look.ts';

export interface PaintOptions {
  /** In columns; 0 without an edge. */
  readonly width: number;
  readonly colour: boolean;
  /** Removes secrets from a text. */
  readonly hide: (text: string) => string;
}

const styles = { plain: null, dim: 'dim', strong: 'bold', good: 'green', bad: 'red', busy: 'yellow', accent: 'cyan' } as const satisfies Record<
  Tone,
  string | null
>;

/** The text of a line for this terminal. Whatever the line contains, only our own colours pass as escape sequences, and no secret does. */
export function paint(line: Line, { width, colour, hide }: PaintOptions): string {
  // In this order: an escape sequence inside a secret must not hide the secret from the filter.
  const harmless = line.spans.map(({ text, tone }) => ({ text: hide(printable(text)), tone }));
  const fitting = width === 0 ? harmless : line.edge === 'cut' ? cut(harmless, width) : line.hang === undefined ? harmless : hung(harmless, width, line.hang);
  return fitting.map(({ text, tone }) => (colour ? coloured(text, styles[tone]) : text)).join('');
}

function coloured(text: string, style: (typeof styles)[Tone]): string {
  if (style === null || text === '') return text;
  // The caller has decided about colours: without this, newer Nodes ask stdout instead.
  return styleText(style, text, { validateStream: false });
}

function cut(spans: readonly Span[], width: number): readonly Span[] {
  if (spans.reduce((sum, { text }) => sum + columns(text), 0) <= width) return spans;
  const kept: Span[] = [];
  let left = width - 1;
  for (const { text, tone } of spans) {
    const fits = cutToColumns(text, left);
    kept.push({ text: fits, tone });
    if (fits !== text) break;
    left -= columns(text);
  }
  return [...kept, { text: '…', tone: 'dim' }];
}

/** Breaks a line between its words. A word that is wider than the screen is left to the terminal. */
function hung(spans: readonly Span[], width: number, hang: number): readonly Span[] {
  let at = 0;
  const broken = (word: string) => {
    const wide = columns(word.trimEnd());
    const breaks = at > hang && at + wide > width && hang + wide <= width;
    at = (breaks ? hang : at) + columns(word);
    return breaks ? `\n${' '.repeat(hang)}${word}` : word;
  };
  return spans.map(({ text, tone }) => ({
    text: text
      .split(/(?<=\s)(?=\S)/)
      .map(broken)
      .join('')
      .replaceAll(' \n', '\n'),
    tone,
  }));
}

const HALF_A_DAY_MS = 12 * 3_600_000;

/** The local time of day, `04:41:10`; with the date when it is half a day away or more. */
export function clockTime(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
  if (Math.abs(atMs - nowMs) < HALF_A_DAY_MS) return time;
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${time}`;
}

const twoDigits = (part: number) => String(part).padStart(2, '0');
