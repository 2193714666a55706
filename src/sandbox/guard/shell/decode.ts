const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes base64 or base32. Other characters are skipped, as some decoders do. */
export const fromBase64 = (text: string): string => fromLetters(text.replaceAll('-', '+').replaceAll('_', '/'), BASE64, 6);
export const fromBase32 = (text: string): string => fromLetters(text.toUpperCase(), BASE32, 5);

function fromLetters(text: string, letters: string, bits: number): string {
  const out: string[] = [];
  let held = 0;
  let count = 0;
  for (const letter of text) {
    const value = letters.indexOf(letter);
    if (value === -1) continue;
    held = ((held << bits) | value) & 0xffff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    out.push(String.fromCharCode((held >> count) & 0xff));
  }
  return out.join('');
}

/** Decodes hexadecimal digits. Spaces and prefixes are skipped. */
export function fromHex(text: string): string {
  const digits = text.replaceAll(/\\x|0x|[^0-9A-Fa-f]/g, '');
  return (digits.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('');
}

const LETTERS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', f: '', v: '', e: '', '\\': '\\', '"': '"', "'": "'" };

/** Resolves the escapes of printf and `echo -e`. */
export const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:x([0-9A-Fa-f]{1,2})|0?([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([\s\S]))/g, (whole, hex, octal, ...rest) => {
    const [short, long, letter] = rest as (string | undefined)[];
    const wide = hex ?? short ?? long;
    if (wide !== undefined) return codePoint(Number.parseInt(wide, 16));
    if (octal !== undefined) return codePoint(Number.parseInt(octal, 8) & 0xff);
    return LETTERS[letter ?? ''] ?? whole;
  });

const codePoint = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

/** Applies `tr` with two sets, including ranges and the usual classes. */
export function translated(text: string, from: string, to: string): string {
  const source = setOf(from);
  const target = setOf(to);
  const last = target.at(-1) ?? '';
  const table = new Map(source.map((letter, index) => [letter, target[index] ?? last]));
  return [...text].map((letter) => table.get(letter) ?? letter).join('');
}

export function withoutLetters(text: string, set: string): string {
  const letters = new Set(setOf(set));
  return [...text].filter((letter) => !letters.has(letter)).join('');
}

const CLASSES: Readonly<Record<string, string>> = { '[:lower:]': 'a-z', '[:upper:]': 'A-Z', '[:digit:]': '0-9', '[:alpha:]': 'A-Za-z', '[:space:]': ' \\n\\t' };

function setOf(written: string): readonly string[] {
  const plain = unescaped(Object.entries(CLASSES).reduce((text, [name, range]) => text.replaceAll(name, range), written));
  return [...plain.replaceAll(/([\s\S])-([\s\S])/g, (_, first: string, last: string) => span(first, last))];
}

function span(first: string, last: string): string {
  const from = first.charCodeAt(0);
  const count = Math.min(Math.max(last.charCodeAt(0) - from + 1, 0), 256);
  return Array.from({ length: count }, (_, n) => String.fromCharCode(from + n)).join('');
}
