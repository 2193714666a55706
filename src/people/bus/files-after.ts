import { closeSync } from 'node:fs';
import { type OpenBus, openBusFiles } from './bus-files.ts';
import { piecesBack } from './read-back.ts';
import type { Scanned } from './scan.ts';

/** A file of a bus, and from where on it is wanted. */
export interface FileFrom {
  readonly file: OpenBus;
  readonly place: number;
}

/** Whoever looks for a message that is not there goes through all that was ever written. */
const READ_AT_ONCE = 4 * 1024 * 1024;

/** The file with that message, from behind it on, and all that are newer, oldest first; null when there is no such one. Who takes them closes them. */
export function filesAfter(path: string, id: string): FileFrom[] | null {
  const files: FileFrom[] = [];
  for (const file of openBusFiles(path)) {
    const place = placeAfter(file.fd, id);
    files.unshift({ file, place: place ?? 0 });
    if (place !== null) return files;
  }
  closeAll(files);
  return null;
}

export function closeAll(files: readonly FileFrom[]): void {
  for (const { file } of files) closeSync(file.fd);
}

function placeAfter(fd: number, id: string): number | null {
  const isIt = ({ message }: Scanned) => message.msg_id === id;
  for (const found of piecesBack(fd, (entries) => entries.some(isIt), READ_AT_ONCE)) {
    const it = found.findLast(isIt);
    if (it !== undefined) return it.end;
  }
  return null;
}
