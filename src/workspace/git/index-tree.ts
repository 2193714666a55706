import { readFile } from 'node:fs/promises';

const HEADER = 12;
const EXTENSION = 8;
/** Times, device, mode, owner and size of a file, before its id. */
const STAT = 40;
const LONG_NAME = 0xfff;

/**
 * The tree that an index has, if git has noted it there and nothing was changed since; null if it does not say. `idBytes` is the length of an id in this
 * repository.
 */
export async function treeInIndex(path: string, idBytes: 20 | 32): Promise<string | null> {
  const index = await readFile(path).catch(() => null);
  if (index === null || index.length < HEADER + idBytes || index.toString('latin1', 0, 4) !== 'DIRC' || index.readUInt32BE(4) !== 2) return null;
  const end = index.length - idBytes;
  let tree: string | null = null;
  for (let at = endOfEntries(index, idBytes); at + EXTENSION <= end; at += EXTENSION + index.readUInt32BE(at + 4)) {
    const name = index.toString('latin1', at, at + 4);
    if (at + EXTENSION + index.readUInt32BE(at + 4) > end) return null;
    // Some of the entries are in another file.
    if (name === 'link') return null;
    if (name === 'TREE') tree = rootOf(index.subarray(at + EXTENSION, end), idBytes);
  }
  return tree;
}

/** An entry ends with its name and one to eight zero bytes. Version 2 has no other kind. */
function endOfEntries(index: Buffer, idBytes: number): number {
  let at = HEADER;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const name = at + STAT + idBytes + 2;
    if (name > index.length) return index.length;
    const noted = index.readUInt16BE(name - 2) & LONG_NAME;
    const length = name - at + (noted < LONG_NAME ? noted : index.indexOf(0, name) - name);
    at += (Math.floor(length / 8) + 1) * 8;
  }
  return at;
}

/** `\0<entries> <subtrees>\n<id>`: fewer than no entries means that something was changed. */
function rootOf(trees: Buffer, idBytes: number): string | null {
  const line = trees.indexOf('\n');
  const isWhole = line !== -1 && /^\0\d+ \d+$/.test(trees.toString('latin1', 0, line));
  return isWhole && trees.length >= line + 1 + idBytes ? trees.toString('hex', line + 1, line + 1 + idBytes) : null;
}
