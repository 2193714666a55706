import { closeSync, fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { printTrouble } from './shared/trouble.ts';

const LAST_WORDS_MS = 2_000;

/** The end of the process, also when nobody reads what it still has to say: the console has waited for them already. */
export function leave(exitCode: number): void {
  process.exitCode = exitCode;
  process.on('exit', letGoOfLostTerminals);
  // Fires only if something unread keeps us here.
  if (process.stderr.writableLength > 0) setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

/** What nobody caught leaves us in a state nobody foresaw. The run is safe: its guardian ends what still runs, and its journal is as after any crash. */
export function endOnBugs(): void {
  process.on('uncaughtException', (error) => {
    leave(printTrouble(error));
    process.exit();
  });
}

/** A terminal or a reader that has gone away must not end a run in the middle of the night. */
export function surviveALostTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Node resets the terminal it was started on, and aborts when that is no longer there; what is closed it leaves alone. */
function letGoOfLostTerminals(): void {
  for (const fd of [0, 1, 2]) {
    try {
      if (fstatSync(fd).isCharacterDevice() && !isatty(fd)) closeSync(fd);
    } catch {}
  }
}
