export interface TextSize {
  readonly lines: number;
  readonly chars: number;
}

const NEWLINE = 10;

/** How much there is of a text, before anything is cut: lines (a last newline ends one, it does not open another) and code points. */
export function textSize(text: string): TextSize {
  if (text === '') return { lines: 0, chars: 0 };
  return { lines: newlines(text) + (text.charCodeAt(text.length - 1) === NEWLINE ? 0 : 1), chars: text.length - pairs(text) };
}

function newlines(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}

/** Most texts have no surrogates at all, and the engine knows that of a one-byte string without looking. */
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
