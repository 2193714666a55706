/** More words than anybody writes in braces; what comes on top is not told apart. */
export const MOST_ALTERNATIVES = 64;

/** The alternatives of `{a,b}` or `{1..3}`, each still as a shell writes it; null: too many, or no such thing. */
export function braceAlternatives(text: string): readonly string[] | null {
  const inside = text.slice(1, -1);
  const range = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?$/.exec(inside);
  const found = range === null ? splitAtCommas(inside) : rangeOf(range);
  return found.length > MOST_ALTERNATIVES ? null : found;
}

/** At the commas that stand in no inner braces and no quotes. */
function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: piece, index } of text.matchAll(/\\[\s\S]|'[^']*'|"[^"]*"|[{},]/g)) {
    if (piece === '{') depth += 1;
    if (piece === '}') depth -= 1;
    if (piece !== ',' || depth !== 0) continue;
    parts.push(text.slice(from, index));
    from = index + 1;
  }
  return [...parts, text.slice(from)];
}

function rangeOf([, from = '', to = '', step = '1']: readonly string[]): readonly string[] {
  const isNumber = /\d/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const width = Math.max(Math.abs(Number(step)), 1);
  const count = Math.min(Math.floor(Math.abs(last - first) / width) + 1, MOST_ALTERNATIVES + 1);
  return Array.from({ length: count }, (_, n) => first + (last < first ? -n : n) * width).map((n) => (isNumber ? String(n) : String.fromCharCode(n)));
}
