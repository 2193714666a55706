/** The last `limit` code points, after `mark` if anything was cut off. A limit of 0 or less cuts nothing. Costs no more than the limit. */
export function lastCodePoints(text: string, limit: number, mark = ''): string {
  if (limit <= 0 || text.length <= limit) return text;
  let start = text.length;
  for (let taken = 0; taken < limit && start > 0; taken += 1) start -= isPairBefore(text, start) ? 2 : 1;
  return start > 0 ? mark + text.slice(start) : text;
}

/** Half a pair counts as one code point, as in a string's own iteration. */
function isPairBefore(text: string, end: number): boolean {
  return end >= 2 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
}
