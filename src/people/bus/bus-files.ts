import { closeSync } from 'node:fs';
import { archivesOf } from './archives.ts';
import { type OpenBus, openToRead } from './bus-path.ts';

/**
 * The file of a bus, then what was rotated away from it, newest first, none twice: one may be put aside while they are looked at.
 * Who takes one closes it.
 */
export function* openBusFiles(path: string): Generator<OpenBus, void> {
  const seen = new Set<bigint>();
  for (const file of pathsOf(path)) {
    const open = openToRead(file);
    if (open === null) continue;
    if (seen.has(open.ino)) closeSync(open.fd);
    else {
      seen.add(open.ino);
      yield open;
    }
  }
}

/** Archives are listed only when somebody wants more than the file itself. */
function* pathsOf(path: string): Generator<string, void> {
  yield path;
  yield* archivesOf(path);
}
