import type { Effect } from '../../journal/effects/effect.ts';
import type { OpenIteration, RunState, StartedState } from '../../journal/state/state.ts';
import { truncateCodePoints } from '../../kit/pure/text.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';
import { type Glyphs, type Line, prose, type Span, span } from './line.ts';

/** The settings of the display; views differ in nothing else. */
export interface DisplaySettings {
  readonly glyphs: Glyphs;
  /** For tool output: how many lines to show, and how many code points of each. */
  readonly outputLines: number;
  readonly outputChars: number;
  /** The time of day, with the date when that is far away. */
  readonly clock: (atMs: number) => string;
}

const LABEL_COLUMNS = 12;

/** A labelled fact of the banner or the summary. It wraps: facts are not cut. */
export function row(label: string, ...facts: readonly Span[]): Line {
  return prose(span(`  ${label.padEnd(LABEL_COLUMNS)}`, 'dim'), ...facts);
}

/** A row without a command that somebody may copy: it wraps between words. */
export function sentence(label: string, ...facts: readonly Span[]): Line {
  return { ...row(label, ...facts), hang: 2 + LABEL_COLUMNS };
}

export interface TextSize {
  readonly lines: number;
  readonly chars: number;
}

const NEWLINE = 10;

/** The size of a text before it is cut: lines (a final newline ends a line, it does not open another) and code points. */
export function textSize(text: string): TextSize {
  if (text === '') return { lines: 0, chars: 0 };
  return { lines: newlines(text) + (text.charCodeAt(text.length - 1) === NEWLINE ? 0 : 1), chars: text.length - pairs(text) };
}

function newlines(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}

/** Most texts have no surrogates, and for a one-byte string the engine knows that without a scan. */
function pairs(text: string): number {
  if (!HIGH.test(text)) return 0;
  let found = 0;
  for (let at = 0; at + 1 < text.length; at += 1) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) found += 1;
  }
  return found;
}

const HIGH = /[\ud800-\udbff]/;
const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Where a `|` is not a pipe: in an escape, in quotes, in `||` and `>|`. */
const NO_PIPE = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|\|\||>\|/gs;

/** True when the exit code of a `sh -c` command is that of a pipe's end, so that an earlier failure is lost. */
export function hasBarePipe(command: string): boolean {
  return !/\bpipefail\b/.test(command) && command.replaceAll(NO_PIPE, '').includes('|');
}

export interface ExcerptLimits {
  readonly lines: number;
  /** The maximum of each line, in code points. */
  readonly lineChars: number;
}

export interface Excerpt {
  readonly shown: readonly string[];
  /** How many lines of the text the shown ones span, including blank lines between them. */
  readonly usedLines: number;
}

/** Only this much is read, so that a huge text costs no more. */
const HEAD_CHARS = 8192;

/** The first lines of a text that are not blank. It is cut before it is split, so that a huge text costs no more than a page. */
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

/** The lines of a text's beginning, with any kind of line ending. */
export function linesOf(text: string, headChars: number): readonly string[] {
  return text.slice(0, headChars).split(/\r?\n/);
}

/** The first line, cut to `maximum` code points; the last three are dots if it was cut (seed 001). */
export function shorten(text: string, maximum: number): string {
  const [first = ''] = linesOf(text, 2 * maximum + 2);
  return truncateCodePoints(first, maximum) === first ? first : truncateCodePoints(first, maximum - 3, '...');
}

export const ID_CHARS = 60;

/** The id of a task or story. */
export const idText = (id: string) => shorten(id, ID_CHARS);

const PLAIN = /^[ -~]*$/;

// Created on first use: creating them takes longer than most commands run, and even parsing a pattern with scripts is slow.
let segmenter: Intl.Segmenter | null = null;
let wide: RegExp | null = null;
let narrowerThanOne: RegExp | null = null;

/** Too wide is safe, too narrow is not: half-width kana count as two. */
const WIDE = String.raw`\p{Emoji_Presentation}|\ufe0f|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]`;
const NARROWER_THAN_ONE = String.raw`^[\p{Mn}\p{Me}\p{Cf}]*$`;

function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

export function columns(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let total = 0;
  for (const { segment } of graphemes(text)) total += columnsOf(segment);
  return total;
}

/** As much of the beginning as fits; never half a character. */
export function cutToColumns(text: string, width: number): string {
  if (text.length <= width && PLAIN.test(text)) return text;
  let used = 0;
  for (const { segment, index } of graphemes(text)) {
    used += columnsOf(segment);
    if (used > width) return text.slice(0, index);
  }
  return text;
}

function columnsOf(grapheme: string): number {
  wide ??= new RegExp(WIDE, 'u');
  narrowerThanOne ??= new RegExp(NARROWER_THAN_ONE, 'u');
  if (wide.test(grapheme)) return 2;
  return narrowerThanOne.test(grapheme) ? 0 : 1;
}

/** An event with the state before and after it: some lines describe the difference, some the request behind a fact. */
export interface Change<S extends RunSettings = RunSettings> {
  readonly before: RunState<S>;
  readonly state: StartedState<S>;
  readonly atMs: number;
}

/** The effect that a fact belongs to; undefined when its start is unknown. */
export function effectBefore<K extends Effect['kind']>({ before }: Change, key: string, kind: K): Extract<Effect, { kind: K }> | undefined {
  return before.inFlight.find((effect): effect is Extract<Effect, { kind: K }> => effect.key === key && effect.kind === kind);
}

export function openIn({ open }: RunState, iteration: number): OpenIteration | undefined {
  return open.find(({ number }) => number === iteration);
}
