const PLAIN = /^[ -~]*$/;

/** Too wide is safe, too narrow is not: half-width kana count two. */
const WIDE = /\p{Emoji_Presentation}|\ufe0f|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const NARROWER_THAN_ONE = /^[\p{Mn}\p{Me}\p{Cf}]*$/u;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many columns of a terminal a line takes. */
export function columns(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let total = 0;
  for (const { segment } of graphemes.segment(text)) total += columnsOf(segment);
  return total;
}

/** As much of the beginning as fits; never half a character. */
export function cutToColumns(text: string, width: number): string {
  if (text.length <= width && PLAIN.test(text)) return text;
  let used = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    used += columnsOf(segment);
    if (used > width) return text.slice(0, index);
  }
  return text;
}

function columnsOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2;
  return NARROWER_THAN_ONE.test(grapheme) ? 0 : 1;
}
