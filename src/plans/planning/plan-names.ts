const LONGEST = 80;
const OTHERS = /[^A-Za-z0-9._-]/g;

/** A name as it may stand in the name of a folder (seed 003). */
export function labelOf(text: string): string {
  return text.trim().replace(OTHERS, '-').slice(0, LONGEST) || 'plan';
}

/** The branch of a plan of that name; git takes no dots in a row, none at the ends, and no `.lock`. */
export function branchOf(name: string): string {
  const plain = name
    .trim()
    .replace(OTHERS, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, LONGEST)
    .replaceAll(/^[.-]+|(?:[.-]+|\.lock)+$/g, '');
  return `ralph/${plain || 'feature'}`;
}

/** The day, as people write it in file names. */
export function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}
