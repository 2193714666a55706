/** Matches names of variables by patterns in which `*` stands for any letters, also none. */
export function openNamePattern(patterns: readonly string[], { anyCase = false } = {}): (name: string) => boolean {
  const folded = (text: string) => (anyCase ? text.toUpperCase() : text);
  const all = patterns.map((pattern) => folded(pattern).split('*'));
  return (name) => all.some((parts) => fits(folded(name), parts));
}

/** Each part is taken where it is found first: nothing is ever tried twice. */
function fits(name: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
