const LONGEST_PLAIN = 80;
const LONGEST_READABLE = 40;
/** Two dashes never stand in a plain id: what follows them is a digest. */
const DIGEST_MARK = '--';
const PLAIN = /^[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*$/;

/** Whether an id can stand as it is in the name of a branch, a ref and a folder. */
export function isPlainId(id: string): boolean {
  return id.length <= LONGEST_PLAIN && PLAIN.test(id) && !/\.lock$/i.test(id);
}

/** The name of a task in branches, refs and folders. A plain id is its own; any other keeps its readable part and gets a digest, so that ids never share one. */
export function taskSlug(id: string): string {
  if (isPlainId(id)) return id;
  const readable = id
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .slice(0, LONGEST_READABLE)
    .replace(/^-+|-+$/g, '');
  return `${readable === '' ? 'task' : readable}${DIGEST_MARK}${digest(id)}`;
}

/** FNV-1a with 64 bits: enough for names that people choose. Agents cannot choose others than plain ones. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    for (const byte of [unit & 0xff, unit >> 8]) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** Where a holder of the task works; the fencing number keeps those of one task apart. */
export function taskBranch(id: string, n: number): string {
  return `ralph/${taskSlug(id)}.${n}`;
}
