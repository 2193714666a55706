const longestSlug = 50;

/** A name that is safe in any file system: runs of anything but ASCII letters and digits become `_`, none at the ends, 50 characters at most. */
export function slug(text: string, fallback = 'guardrail'): string {
  const name = text
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, longestSlug);
  return name === '' ? fallback : name;
}
