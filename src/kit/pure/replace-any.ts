const TABLE = 1 << 16;

/**
 * Replaces any of many texts in one pass over another, the longest where several begin. Each has at least `least` characters, two or more: so many
 * are looked at from their end, and a pair that stands in none of them lets all be skipped. The time hardly depends on how many there are.
 */
export function openReplacer(values: readonly string[], least: number, by: string): (text: string) => string {
  if (values.length === 0) return (text) => text;
  const skips = new Uint8Array(TABLE).fill(Math.min(least - 1, 255));
  const ending = new Map<number, string[]>();
  for (const value of [...values].sort((a, b) => b.length - a.length)) {
    for (let at = 1; at < least; at += 1) {
      const pair = pairAt(value, at);
      skips[pair] = Math.min(skips[pair] ?? 0, least - 1 - at);
    }
    const last = pairAt(value, least - 1);
    ending.set(last, [...(ending.get(last) ?? []), value]);
  }
  const valueAt = (text: string, pair: number, start: number) => ending.get(pair)?.find((value) => text.startsWith(value, start));

  return (text) => {
    let replaced = '';
    let done = 0;
    let at = least - 1;
    while (at < text.length) {
      const pair = pairAt(text, at);
      const skip = skips[pair] ?? 0;
      const start = at - least + 1;
      const found = skip > 0 ? undefined : valueAt(text, pair, start);
      if (found === undefined) {
        at += Math.max(1, skip);
        continue;
      }
      replaced += `${text.slice(done, start)}${by}`;
      done = start + found.length;
      at = done + least - 1;
    }
    return done === 0 ? text : replaced + text.slice(done);
  };
}

/** Two pairs may have the same number; that only costs a look. */
function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 251 + text.charCodeAt(at)) & (TABLE - 1);
}
