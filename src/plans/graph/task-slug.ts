const LONGEST_PLAIN = 80;
const LONGEST_READABLE = 40;
/** A plain id never contains two dashes: a digest follows them. */
const DIGEST_MARK = '--';
const PLAIN = /^[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*$/;

/** Whether an id can be used unchanged in the names of branches, refs and folders. */
export function isPlainId(id: string): boolean {
  return id.length <= LONGEST_PLAIN && PLAIN.test(id) && !/\.lock$/i.test(id);
}

/**
 * The name of a task in branches, refs and folders. A plain id is used unchanged. Any other keeps its readable part and gets a digest, so that ids never share
 * one.
 */
export function taskSlug(id: string): string {
  if (isPlainId(id)) return id;
  const readable = id
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .slice(0, LONGEST_READABLE)
    .replace(/^-+|-+$/g, '');
  return `${readable === '' ? 'task' : readable}${DIGEST_MARK}${digest(id)}`;
}

/** FNV-1a with 64 bits: enough for names that people choose. Agents can only choose plain ones. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    for (const byte of [unit & 0xff, unit >> 8]) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** The branch of a holder of the task. The fencing number tells the branches of one task apart. */
export function taskBranch(id: string, n: number): string {
  return `ralph/${taskSlug(id)}.${n}`;
}
