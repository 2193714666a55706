import { closeSync, fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

const LAST_WORDS_MS = 2_000;

/** The end of the process, also when nobody reads what it still has to say: the console has waited for them already. */
export function leave(exitCode: number): void {
  process.exitCode = exitCode;
  process.on('exit', letGoOfLostTerminals);
  // Fires only if something unread keeps us here.
  if (process.stderr.writableLength > 0) setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

/** Node resets the terminal it was started on, and aborts when that is no longer there; what is closed it leaves alone. */
function letGoOfLostTerminals(): void {
  for (const fd of [0, 1, 2]) {
    try {
      if (fstatSync(fd).isCharacterDevice() && !isatty(fd)) closeSync(fd);
    } catch {}
  }
}
