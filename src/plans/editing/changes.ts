/** A stretch of a text and what is to stand there. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** All at once, so that every offset is of the text as it was. What is put at one place stands there in the order given. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: news } of changes.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (start < at) throw new Error('Two changes of a plan are about the same words.');
    parts.push(text.slice(at, start), news);
    at = end;
  }
  return [...parts, text.slice(at)].join('');
}

/** How the lines of a text end. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Where the line of an offset ends, before its line feed. */
export function lineEndAt(text: string, offset: number): number {
  const feed = text.indexOf('\n', offset);
  if (feed < 0) return text.length;
  return feed > offset && text[feed - 1] === '\r' ? feed - 1 : feed;
}

/** How far an offset is from the beginning of its line. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
