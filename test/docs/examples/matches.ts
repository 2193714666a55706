const ANY = '…';

/**
 * Why the printed lines are not the ones shown, or null. In what is shown `…` stands for anything inside a line, and alone on
 * its line for any lines. Blank lines at both ends do not count.
 */
export function whyNotShown(shown: readonly string[], printed: string): string | null {
  const lines = trimmed(printed.split('\n').map((line) => line.trimEnd()));
  const wanted = trimmed(shown.map((line) => line.trimEnd()));
  let at = 0;
  let mayskip = false;
  for (const line of wanted) {
    if (line === ANY) {
      mayskip = true;
      continue;
    }
    const found = lines.findIndex((one, index) => index >= at && looksLike(line, one));
    if (found === -1 || (found > at && !mayskip)) return `not printed${mayskip ? '' : ' here'}: ${line}\nprinted:\n${lines.slice(at).join('\n')}`;
    at = found + 1;
    mayskip = false;
  }
  if (mayskip || at === lines.length) return null;
  return `printed and not shown:\n${lines.slice(at).join('\n')}`;
}

function looksLike(pattern: string, line: string): boolean {
  const parts = pattern.split(ANY).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(line);
}

function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}
