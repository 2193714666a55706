import { delimiter, join } from 'node:path';
import { ANSWERS_TO_AGENTS } from '../journal/words/claim.ts';
import { packagePath } from '../kit/files/package-root.ts';
import { makeFolder, writeAtomic } from '../kit/files/write.ts';
import { diskError } from '../kit/pure/operator-error.ts';
import { shellQuote } from '../kit/pure/shell-words.ts';

/** The entry of the built command line. */
export const MAIN = packagePath('dist', 'cli', 'main.js');

/** What systems search without a PATH. */
const USUAL_PATH = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/**
 * Every agent of `ralph work` completes its task once. This tells the loop without starting node, which takes twenty times as long. Anything else, or a claim
 * that the loop refuses, goes to node, which explains it.
 */
const NOTE_AT_ONCE = `if [ "$#:$1:$2:$3" = "3:task:complete:$RALPH_TASK_ID" ] && [ -S "$RALPH_SOCKET" ]; then
  case "$RALPH_TASK_FENCE:$3" in
  :* | *[!0-9]*:* | *:*[!A-Za-z0-9._-]*) ;;
  *)
    said=$(curl -q -s --noproxy '*' --max-time 30 --unix-socket "$RALPH_SOCKET" -o /dev/null -w '%{http_code}' \\
      -H 'content-type: application/json' -d "{\\"n\\":$RALPH_TASK_FENCE,\\"by\\":\\"its agent\\"}" "http://door/v1/tasks/$3/complete" 2>/dev/null)
    if [ "$said" = 202 ]; then
      echo "✓ $3 is noted as complete"
      echo '  ${ANSWERS_TO_AGENTS.complete}'
      exit 0
    fi
    ;;
  esac
fi
`;

/** Gives a run a command `ralph` that is this program, whatever else has that name. Resolves with its folder. */
export async function writeRalphShim(runFolder: string, main = MAIN): Promise<string> {
  const folder = join(runFolder, 'bin');
  try {
    await makeFolder(folder, 0o700);
    await writeAtomic(join(folder, 'ralph'), `#!/bin/sh\n${NOTE_AT_ONCE}exec ${shellQuote(process.execPath)} ${shellQuote(main)} "$@"\n`, 0o700);
  } catch (cause) {
    throw diskError(`cannot write the agent's command ${join(folder, 'ralph')}: ${(cause as Error).message}`, cause);
  }
  return folder;
}

/** A PATH with that folder first, and only once. */
export function firstOnPath(folder: string, path: string | undefined): string {
  const others = (path || USUAL_PATH).split(delimiter).filter((other) => other !== folder);
  return [folder, ...others].join(delimiter);
}
