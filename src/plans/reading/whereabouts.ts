/** Why a path of a plan leads nowhere in the work tree; null when it may. Nothing is looked up. */
export function whyNoPath(path: string): string | null {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.startsWith('~')) return `${path} is not written from the top of the work tree`;
  if (path.split(/[\\/]/).includes('..')) return `${path} leads out of the work tree`;
  return path.includes('\0') ? 'a path has no NUL in it' : null;
}
