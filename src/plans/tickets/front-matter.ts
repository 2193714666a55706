/** A ticket's parts, which put together again are the ticket. */
export interface Ticket {
  /** The first line, `---`. */
  readonly head: string;
  /** The lines of the front matter. */
  readonly matter: string;
  /** From the closing `---` on. */
  readonly tail: string;
}

const OPENING = /^\ufeff?---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*\r?$/gm;

/** Null: it has no front matter, so it is no ticket. `unclosed`: it begins with one that does not end. */
export function splitTicket(text: string): Ticket | 'unclosed' | null {
  const head = OPENING.exec(text)?.[0];
  if (head === undefined) return null;
  CLOSING.lastIndex = head.length;
  const end = CLOSING.exec(text)?.index;
  return end === undefined ? 'unclosed' : { head, matter: text.slice(head.length, end), tail: text.slice(end) };
}

/** What stands below the front matter. */
export function bodyOf({ tail }: Ticket): string {
  const feed = tail.indexOf('\n');
  return feed < 0 ? '' : tail.slice(feed + 1);
}
