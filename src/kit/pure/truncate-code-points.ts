/** The first `limit` code points, followed by `mark` if anything was cut off. A limit of 0 or less cuts nothing. Costs no more than the limit. */
export function truncateCodePoints(text: string, limit: number, mark = ''): string {
  if (limit <= 0 || text.length <= limit) return text;
  let end = 0;
  for (let taken = 0; taken < limit && end < text.length; taken += 1) end += codeUnitsAt(text, end);
  return end < text.length ? text.slice(0, end) + mark : text;
}

/** 2 for a whole surrogate pair; half a pair counts as one code point, as in a string's own iteration. */
const codeUnitsAt = (text: string, index: number) => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
