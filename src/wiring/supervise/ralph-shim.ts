import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../kit/files/make-folder.ts';
import { writeAtomic } from '../../kit/files/write-atomic.ts';
import { shellQuote } from '../../kit/pure/shell-quote.ts';
import { diskRefuses } from '../../model/disk-error.ts';

/** Where the command line begins, seen from the built file. */
export const MAIN = fileURLToPath(new URL('../../cli/main.js', import.meta.url));

/** What systems search that are given no PATH. */
const USUAL_PATH = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/** Gives a run a command `ralph` that is this program, whatever else has that name. Resolves with the folder it lies in. */
export async function writeRalphShim(runFolder: string, main = MAIN): Promise<string> {
  const folder = join(runFolder, 'bin');
  try {
    await makeFolder(folder, 0o700);
    await writeAtomic(join(folder, 'ralph'), `#!/bin/sh\nexec ${shellQuote(process.execPath)} ${shellQuote(main)} "$@"\n`, 0o700);
  } catch (cause) {
    throw diskRefuses(`cannot write the agent's command ${join(folder, 'ralph')}: ${(cause as Error).message}`, cause);
  }
  return folder;
}

/** A PATH that is searched in that folder first, and there only once. */
export function firstOnPath(folder: string, path: string | undefined): string {
  const others = (path || USUAL_PATH).split(delimiter).filter((other) => other !== folder);
  return [folder, ...others].join(delimiter);
}
