/**
 * Whether a path matches one of these patterns: `*` within a folder, `**` across folders, `?` for one character. A pattern without a slash matches in every
 * folder.
 */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map((pattern) => new RegExp(`^${sourceOf(pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`)}$`));
  return (path) => expressions.some((expression) => expression.test(path));
}

function sourceOf(pattern: string): string {
  const tokens = pattern.match(/\*\*\/|\*\*|\*|\?|[^*?]+/g) ?? [];
  return tokens.map((token) => SIGNS[token] ?? token.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')).join('');
}

const SIGNS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
