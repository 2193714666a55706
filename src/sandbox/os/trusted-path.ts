import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';

const MOST_LINKS = 40;

/**
 * The real path, if no link on the way lies where an agent can write: such a link may have been planted to make us open, or seal, something else.
 * Null when nothing is there. Rejects with an OperatorError for a link that cannot be trusted.
 */
export async function trustedPath(path: string, canBePlanted: (link: string) => boolean): Promise<string | null> {
  let real = '/';
  let names = resolve(path).split('/').filter(Boolean);
  for (let links = 0; ; ) {
    const [name, ...rest] = names;
    if (name === undefined) return real;
    const next = join(real, name);
    const found = await lstat(next).catch(() => null);
    if (found === null) return null;
    if (!found.isSymbolicLink()) {
      real = next;
      names = rest;
      continue;
    }
    if (canBePlanted(next)) throw untrusted(path, next);
    links += 1;
    if (links > MOST_LINKS) return null;
    names = [
      ...resolve(real, await readlink(next))
        .split('/')
        .filter(Boolean),
      ...rest,
    ];
    real = '/';
  }
}

function untrusted(path: string, link: string): OperatorError {
  const where = path === link ? `${link} is a symbolic link` : `${path} is reached through ${link}, a symbolic link`;
  return new OperatorError('sandbox-refused', `${where} in a place agents can write: it could lead the sandbox anywhere`, {
    hint: `Look at where it leads, and replace it by a real folder or file. It lies in ${dirname(link)}.`,
    exitCode: 4,
  });
}
