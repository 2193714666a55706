const special = /[\\^$.|+()[\]]/;

/**
 * The source of a regular expression for a glob with `**`, `*`, `?` and `{a,b}`. Every star is bounded by a slash or by the end, so that a match costs at
 * most the square of the path's length.
 */
function sourceOf(glob: string): string {
  let source = '';
  let braces = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob.charAt(at);
    if (glob.startsWith('**/', at)) {
      source += '(?:[^/]+/)*';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      source += '.*';
      at += 1;
    } else if (char === '{') {
      braces += 1;
      source += '(?:';
    } else if (char === '}' && braces > 0) {
      braces -= 1;
      source += ')';
    } else source += charSource(char, braces > 0);
  }
  return source + ')'.repeat(braces);
}

function charSource(char: string, isInBraces: boolean): string {
  if (char === '*') return '[^/]*';
  if (char === '?') return '[^/]';
  if (char === ',' && isInBraces) return '|';
  return special.test(char) ? `\\${char}` : char;
}

/** Matches a whole path against any of the globs. */
export function globs(patterns: readonly string[]): RegExp {
  return new RegExp(`^(?:${patterns.length === 0 ? '(?!)' : patterns.map(sourceOf).join('|')})$`);
}

/** The folder in which a path starts to match one of the globs, which can start in any folder; null if nowhere. */
export type Anywhere = (path: string) => string | null;

/** Most globs are file names, with or without a star: only the few others are compared with whole paths. */
export function globsAnywhere(patterns: readonly string[]): Anywhere {
  const names = patterns.map((pattern) => pattern.replace(/^\*\*\//, ''));
  const exact = new Set(names.filter((name) => !/[*?{/]/.test(name)));
  const inName = globs(names.filter((name) => /[*?{]/.test(name) && !name.includes('/')));
  const inPath = names.filter((name) => name.includes('/'));
  const whole = inPath.length === 0 ? null : new RegExp(`^((?:[^/]+/)*?)(?:${inPath.map(sourceOf).join('|')})$`);
  return (path) => {
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    if (exact.has(name) || inName.test(name)) return path.slice(0, Math.max(0, slash));
    return whole === null ? null : (whole.exec(path)?.[1]?.replace(/\/$/, '') ?? null);
  };
}

/** Rewrites a glob of a tool's configuration with the supported signs: `[jt]s?(x)` becomes `{j,t}s{,x}`. Null if that is not possible. */
export function plainGlob(glob: string): string | null {
  const plain = glob
    .replace(/\?\(([^()]{1,80})\)/g, (_all, inner: string) => `{,${inner.replaceAll('|', ',')}}`)
    .replace(/[+@]\(([^()]{1,80})\)/g, (_all, inner: string) => `{${inner.replaceAll('|', ',')}}`)
    .replace(/\[([\w]{1,9})\]/g, (_all, inner: string) => `{${[...inner].join(',')}}`)
    .replace(/^(?:\.\/|<rootDir>\/)+/, '');
  return /[!()[\]<>$^\\]/.test(plain) ? null : plain;
}

/**
 * Whether a path matches one of these patterns: `*` within a folder, `**` across folders, `?` for one character. A pattern without a slash matches in every
 * folder.
 */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map((pattern) => new RegExp(`^${patternSource(pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`)}$`));
  return (path) => expressions.some((expression) => expression.test(path));
}

function patternSource(pattern: string): string {
  const tokens = pattern.match(/\*\*\/|\*\*|\*|\?|[^*?]+/g) ?? [];
  return tokens.map((token) => SIGNS[token] ?? token.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')).join('');
}

const SIGNS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
