import { closeSync } from 'node:fs';
import { type OpenBus, openBusFiles } from './bus-files.ts';
import { piecesBack } from './read-back.ts';
import type { Scanned } from './scan.ts';

/** A file of a bus, and the place to read from. */
export interface FileFrom {
  readonly file: OpenBus;
  readonly place: number;
}

/** A search for a message that does not exist reads everything ever written. */
const READ_AT_ONCE = 4 * 1024 * 1024;

/** The file with that message, from its end on, and all newer files, oldest first; null when there is no such message. The caller closes them. */
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
