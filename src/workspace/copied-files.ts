import { readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { bytesAt, found, isRealFolder, placed } from './isolated/carry.ts';

/** Files of a folder in which an agent may have made links. No link is ever followed. Paths are those of git, as text. */
export interface CopiedFiles {
  /** Null if it is not a file, is too large, or is not text. */
  read(path: string): string | null;
  /** Writes a file or a link and replaces whatever is there. */
  write(path: string, file: { readonly bytes: Uint8Array; readonly mode: string }): void;
  remove(path: string): void;
  /** Makes a file newer than whatever was built from it. */
  touch(path: string): void;
}

const MOST_READ_BYTES = 1024 * 1024;

export function openCopiedFiles(top: string): CopiedFiles {
  const remove = (name: string) => {
    const path = Buffer.from(name).toString('latin1');
    if (isInARealFolder(top, path)) rmSync(bytesAt(top, path), { recursive: true, force: true });
  };
  return {
    read(name) {
      const path = Buffer.from(name).toString('latin1');
      const file = isInARealFolder(top, path) ? found(bytesAt(top, path)) : undefined;
      if (!file?.isFile() || file.size > MOST_READ_BYTES) return null;
      return textOf(readFileSync(bytesAt(top, path)));
    },
    write(name, { bytes, mode }) {
      const path = Buffer.from(name).toString('latin1');
      makeWay(top, path);
      remove(name);
      if (mode === '120000') symlinkSync(Buffer.from(bytes), bytesAt(top, path));
      else writeFileSync(bytesAt(top, path), bytes, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
    },
    remove,
    touch(name) {
      const path = Buffer.from(name).toString('latin1');
      const file = isInARealFolder(top, path) ? found(bytesAt(top, path)) : undefined;
      const now = new Date();
      if (file?.isFile()) utimesSync(bytesAt(top, path), now, now);
    },
  };
}

function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const above = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function isInARealFolder(top: string, path: string): boolean {
  return above(path) === '' || isRealFolder(top, above(path));
}

/** Removes whatever on the way is not a folder: only what Ralph writes has to be in a copy. */
function makeWay(top: string, path: string): void {
  const parts = above(path).split('/').filter(Boolean);
  for (const [index] of parts.entries()) {
    const folder = parts.slice(0, index + 1).join('/');
    const there = found(bytesAt(top, folder));
    if (there !== undefined && !there.isDirectory()) rmSync(bytesAt(top, folder), { force: true });
    placed(top, [folder]);
  }
}
