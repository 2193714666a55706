/** Where a ticket's description stands in the text below its front matter. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const FENCE = /^ {0,3}(?:```|~~~)/;

/** What stands under the first `## ` heading, up to the next heading of its rank; without one, all there is under the title. */
export function descriptionIn(body: string): Stretch {
  const headings = headingsOf(body);
  const first = headings.findIndex(({ rank }) => rank === 2);
  const from = first >= 0 ? headings[first] : headings.find(({ rank }) => rank === 1);
  const next = first >= 0 ? headings[first + 1] : undefined;
  return trimmed(body, from?.end ?? 0, next?.start ?? body.length);
}

/** The title a ticket has in its text, without the id that may stand before it; the id where there is none. */
export function titleIn(body: string, id: string): string {
  const heading = headingsOf(body).find(({ rank }) => rank === 1);
  const title = heading === undefined ? '' : body.slice(heading.start + 1, heading.end).trim();
  return (title.startsWith(`${id}:`) ? title.slice(id.length + 1).trim() : title) || id;
}

interface Heading extends Stretch {
  readonly rank: 1 | 2;
}

/** Of the first two ranks. What looks like one inside of a fence is code. */
function headingsOf(body: string): readonly Heading[] {
  const found: Heading[] = [];
  let isCode = false;
  for (let start = 0; start < body.length; ) {
    const feed = body.indexOf('\n', start);
    const end = feed < 0 ? body.length : feed + 1;
    const line = body.slice(start, end);
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode && /^##?\s/.test(line)) found.push({ start, end, rank: line.startsWith('##') ? 2 : 1 });
    start = end;
  }
  return found;
}

function trimmed(body: string, from: number, to: number): Stretch {
  const text = body.slice(from, to);
  const start = from + (text.length - text.trimStart().length);
  return text.trim() === '' ? { start: from, end: from } : { start, end: start + text.trim().length };
}
