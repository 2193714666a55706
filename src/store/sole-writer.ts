import { createHash } from 'node:crypto';
import { fstatSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { hasCode } from '../kit/files/read.ts';

/** deleted: there is nothing at its path. replaced: there is another file. changed: its content is not what we wrote. */
export type ForeignChange = 'deleted' | 'replaced' | 'changed';

/** Detects when somebody else writes to a file that only we should write. */
export interface SoleWriter {
  append(text: string): Promise<void>;
  /** What others have done to the file so far; null if nothing. Reads the file only on suspicion. */
  foreignChange(): Promise<ForeignChange | null>;
}

/**
 * Takes over a file that is open for appending and has this content. Compares size and change time around each write. A difference is only a
 * suspicion, because a hard link or new permissions change them too; the content decides.
 */
export function openSoleWriter(handle: FileHandle, path: string, content: Buffer): SoleWriter {
  const written = createHash('sha256').update(content);
  const isAtItsPath = standsAt(path, handle) === 'there';
  let bytes = BigInt(content.length);
  let changedNs = statOf(handle).ctimeNs;
  let isSuspicious = false;

  const compare = () => {
    const found = statOf(handle);
    isSuspicious ||= found.size !== bytes || found.ctimeNs !== changedNs;
  };

  return {
    async append(text) {
      const added = Buffer.from(text);
      compare();
      await handle.appendFile(added);
      written.update(added);
      bytes += BigInt(added.length);
      changedNs = statOf(handle).ctimeNs;
    },
    async foreignChange() {
      const place = isAtItsPath ? standsAt(path, handle) : 'there';
      if (place !== 'there') return place;
      compare();
      if (!isSuspicious) return null;
      const found = statOf(handle);
      if (found.size !== bytes || (await digestOf(handle, Number(bytes))) !== written.copy().digest('hex')) return 'changed';
      changedNs = found.ctimeNs;
      isSuspicious = false;
      return null;
    },
  };
}

/** On a file system without inode numbers nothing can be compared. */
function standsAt(path: string, handle: FileHandle): 'there' | 'deleted' | 'replaced' {
  const own = statOf(handle);
  try {
    const found = statSync(path, { bigint: true });
    return found.ino === own.ino && found.dev === own.dev ? 'there' : 'replaced';
  } catch (error) {
    return hasCode(error, 'ENOENT') || own.nlink === 0n ? 'deleted' : 'there';
  }
}

function statOf(handle: FileHandle) {
  return fstatSync(handle.fd, { bigint: true });
}

/** Of the first `bytes` only, because somebody may append faster than we read. */
async function digestOf(handle: FileHandle, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.min(bytes, 1024 * 1024));
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, bytes - at), at);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}
