import { applyChanges } from '../editing/changes.ts';

/** From one offset of the text up to another. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A task of a Markdown file: a list item with a checkbox, or a section with checkboxes. */
export interface Item {
  readonly start: number;
  /** The offsets of the marks of its checkboxes: its own, and those inside of it. */
  readonly marks: readonly number[];
  readonly isDone: boolean;
  readonly title: Stretch;
  /** Ralph's own fields in a comment on the line below the title: the range of the map in it. */
  readonly extra: Stretch | null;
  /** Where text can be inserted: the end of the title, or of the comment. */
  readonly headEnd: number;
  /** The lines of its description. Start and end are the same when it has none. */
  readonly body: Stretch;
  /** What stands before each line of the description. */
  readonly margin: string;
  readonly description: string;
  /** The end of its last line. */
  readonly end: number;
  /** The heading of the second rank above it. */
  readonly heading: string;
}

const BOX = /^(\s*(?:[-*+]|\d+[.)])\s+\[)([ xX~/-])\](?:\s+(.*?))?\s*$/;

/** An item with the mark `[-]` was dropped: it is not a task. */
const DROPPED = '-';

interface Box {
  readonly markAt: number;
  readonly mark: string;
  readonly title: Stretch;
}

export function boxOf({ text, start, end, kind }: MarkdownLine): Box | null {
  const [, before, mark, words] = kind === 'text' ? (BOX.exec(text) ?? []) : [];
  if (before === undefined || mark === undefined) return null;
  const markAt = start + before.length;
  const titleAt = words === undefined ? end : start + text.indexOf(words, before.length + 2);
  return { markAt, mark, title: { start: titleAt, end: titleAt + (words ?? '').length } };
}

const isEmpty = ({ start, end }: Stretch) => start === end;

/** The outermost items with a checkbox. The boxes inside of one are its steps. A box without a word waits for somebody to write a task there. */
export function listItems(text: string, lines: readonly MarkdownLine[]): readonly Item[] {
  const items: Item[] = [];
  let heading = '';
  let next = 0;
  for (const [at, line] of lines.entries()) {
    const found = headingOf(line);
    if (found !== null && found.rank <= 2) heading = found.words;
    const box = at < next ? null : boxOf(line);
    if (box === null) continue;
    const inside = linesInside(lines, at, line.indent);
    next = at + 1 + inside.length;
    if (box.mark === DROPPED || (isEmpty(box.title) && inside.length === 0)) continue;
    items.push(itemOf(text, { line, inside, title: box.title, own: box, margin: ' '.repeat(line.indent + 2), heading }));
  }
  return items;
}

/** Everything that is indented more, without the empty lines at its end. */
function linesInside(lines: readonly MarkdownLine[], at: number, indent: number): readonly MarkdownLine[] {
  let end = at + 1;
  for (const [index, { goesOn, indent: own, text }] of lines.slice(at + 1).entries()) {
    if (text.trim() === '') continue;
    if (own <= indent && !goesOn) break;
    end = at + 2 + index;
  }
  return lines.slice(at + 1, end);
}

export interface ItemLines {
  readonly line: MarkdownLine;
  readonly inside: readonly MarkdownLine[];
  readonly title: Stretch;
  readonly own: Pick<Box, 'markAt' | 'mark'> | null;
  /** The margin of a description that has yet to be written. */
  readonly margin: string;
  readonly heading: string;
}

const EXTRA = /^(\s*<!--\s*ralph:\s*)(\{.*\})\s*-->\s*$/;

export function itemOf(text: string, { line, inside, title, own, margin, heading }: ItemLines): Item {
  const full = inside.filter((each) => each.text.trim() !== '');
  const extra = extraIn(full[0]);
  const rest = extra === null ? full : full.slice(1);
  const boxes = [...(own === null ? [] : [own]), ...rest.flatMap((each) => boxOf(each) ?? [])].filter(({ mark }) => mark !== DROPPED);
  const headEnd = (extra === null ? null : full[0]?.end) ?? line.end;
  const body = { start: rest[0]?.start ?? headEnd, end: rest.at(-1)?.end ?? headEnd };
  const indent = Math.min(...rest.map((each) => marginOf(each.text)));
  return {
    start: line.start,
    marks: boxes.map(({ markAt }) => markAt),
    isDone: boxes.length > 0 && boxes.every(({ mark }) => mark === 'x' || mark === 'X'),
    title,
    extra,
    headEnd,
    body,
    margin: rest[0]?.text.slice(0, indent) ?? margin,
    description: describedIn(text, body, boxes, indent),
    end: body.end,
    heading,
  };
}

function extraIn(line: MarkdownLine | undefined): Stretch | null {
  const [, before, map] = EXTRA.exec(line?.text ?? '') ?? [];
  if (line === undefined || before === undefined || map === undefined) return null;
  return { start: line.start + before.length, end: line.start + before.length + map.length };
}

function marginOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}

/** Without the margin, and with every box empty: ticking a step does not change what is to be done. */
function describedIn(text: string, { start, end }: Stretch, boxes: readonly Pick<Box, 'markAt'>[], indent: number): string {
  const inside = boxes.filter(({ markAt }) => markAt >= start && markAt < end);
  const open = applyChanges(
    text.slice(start, end),
    inside.map(({ markAt }) => ({ start: markAt - start, end: markAt - start + 1, text: ' ' })),
  );
  const lines = open.split(/\r?\n/).map((line) => line.slice(Math.min(indent, marginOf(line))));
  return lines.join('\n').trim();
}

/** A line of a Markdown text, with its place. */
export interface MarkdownLine {
  readonly start: number;
  /** Before its line ending. */
  readonly end: number;
  readonly text: string;
  /** Columns before the first character; of an empty line, none. */
  readonly indent: number;
  /** code: inside of a fence, or the fence itself. comment: inside of an HTML comment over several lines. */
  readonly kind: 'text' | 'empty' | 'code' | 'comment';
  /** Whether it belongs to the code or comment of the line before it, however it is indented. */
  readonly goesOn: boolean;
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;

/** What a line is inside of: the marks that open code, `comment`, or nothing. */
type Inside = string | null;
const COMMENT = 'comment';

/** Nothing in code and in comments is a task or a heading. */
export function markdownLines(text: string): readonly MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let inside: Inside = null;
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const next = feed < 0 ? text.length : feed + 1;
    const line = text.slice(start, next).replace(/\r?\n$/, '');
    const before: Inside = inside;
    inside = before === null ? openedBy(line) : isClosedBy(line, before) ? null : before;
    lines.push({ start, end: start + line.length, text: line, indent: indentOf(line), kind: kindOf(line, before ?? inside), goesOn: before !== null });
    start = next;
  }
  return lines;
}

function kindOf(line: string, inside: Inside): MarkdownLine['kind'] {
  if (inside !== null) return inside === COMMENT ? 'comment' : 'code';
  return line.trim() === '' ? 'empty' : 'text';
}

/** Backticks behind a fence mean code within the line. */
function openedBy(line: string): Inside {
  if (/^\s*<!--/.test(line) && !line.includes('-->')) return COMMENT;
  const [, fence, rest] = FENCE.exec(line) ?? [];
  return fence === undefined || (fence.startsWith('`') && rest?.includes('`')) ? null : fence;
}

function isClosedBy(line: string, inside: string): boolean {
  if (inside === COMMENT) return line.includes('-->');
  const [, fence, rest] = FENCE.exec(line) ?? [];
  return fence !== undefined && rest?.trim() === '' && fence.startsWith(inside);
}

function indentOf(line: string): number {
  if (line.trim() === '') return 0;
  let columns = 0;
  for (const char of line) {
    if (char === '\t') columns += 4 - (columns % 4);
    else if (char === ' ') columns += 1;
    else break;
  }
  return columns;
}

/** The rank and the words of a heading; null for any other line. */
export function headingOf({ text, kind }: MarkdownLine): { readonly rank: number; readonly words: string } | null {
  const [, marks, words] = kind === 'text' ? (/^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(text) ?? []) : [];
  return marks === undefined || words === undefined ? null : { rank: marks.length, words };
}
