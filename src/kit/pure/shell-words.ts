export type SplitWords =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** An open quote, or a backslash at the end. */
  | { readonly kind: 'unterminated'; readonly by: "'" | '"' | '\\' };

interface Cursor {
  readonly text: string;
  at: number;
}

/** Splits a command line like a POSIX shell: handles quotes and backslashes, expands nothing. */
export function splitWords(text: string): SplitWords {
  const cursor: Cursor = { text, at: 0 };
  const words: string[] = [];
  let word: string | null = null;
  while (cursor.at < text.length) {
    const char = text.charAt(cursor.at);
    if (isSpace(char)) {
      if (word !== null) words.push(word);
      word = null;
      cursor.at += 1;
      continue;
    }
    const piece = nextPiece(cursor, char);
    if (piece === null) return { kind: 'unterminated', by: char as "'" | '"' | '\\' };
    word = (word ?? '') + piece;
  }
  if (word !== null) words.push(word);
  return { kind: 'words', words };
}

/** Moves past the next quoted, escaped or plain piece of a word; null if it has no end. */
function nextPiece(cursor: Cursor, char: string): string | null {
  if (char === "'") return singleQuoted(cursor);
  if (char === '"') return doubleQuoted(cursor);
  if (char === '\\') return escaped(cursor);
  return plain(cursor);
}

function singleQuoted(cursor: Cursor): string | null {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end === -1) return null;
  const piece = cursor.text.slice(cursor.at + 1, end);
  cursor.at = end + 1;
  return piece;
}

/** Inside double quotes a backslash is only special before these; a newline after it joins the lines. */
const escapable = '$`"\\\n';

function doubleQuoted(cursor: Cursor): string | null {
  const pieces: string[] = [];
  for (let at = cursor.at + 1; at < cursor.text.length; at += 1) {
    const char = cursor.text.charAt(at);
    if (char === '"') {
      cursor.at = at + 1;
      return pieces.join('');
    }
    const next = cursor.text.charAt(at + 1);
    if (char !== '\\' || next === '' || !escapable.includes(next)) {
      pieces.push(char);
      continue;
    }
    if (next !== '\n') pieces.push(next);
    at += 1;
  }
  return null;
}

function escaped(cursor: Cursor): string | null {
  const next = cursor.text.charAt(cursor.at + 1);
  if (next === '') return null;
  cursor.at += 2;
  return next === '\n' ? '' : next;
}

function plain(cursor: Cursor): string {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !isSpecial(cursor.text.charAt(cursor.at))) cursor.at += 1;
  return cursor.text.slice(start, cursor.at);
}

const isSpace = (char: string) => char === ' ' || char === '\t' || char === '\n' || char === '\r';
const isSpecial = (char: string) => isSpace(char) || char === "'" || char === '"' || char === '\\';

/** Quotes a word for a POSIX shell. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
