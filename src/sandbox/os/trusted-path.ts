import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';

const MOST_LINKS = 40;

/** Where a path leads, and by which links. */
export interface Way {
  readonly real: string;
  /** Each link's own real path and its target as written. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
}

/** The real path, as `trustedWay` finds it. */
export function trustedPath(path: string, canBePlanted: (link: string) => boolean): string | null {
  return trustedWay(path, canBePlanted)?.real ?? null;
}

/**
 * Resolves a path, if no link on the way is in a place that an agent can write: the agent may have created it to make us open, or seal, something else. Null
 * when nothing is there. Throws an OperatorError for a link that cannot be trusted.
 */
export function trustedWay(path: string, canBePlanted: (link: string) => boolean): Way | null {
  if (realPathOf(path) === resolve(path)) return { real: resolve(path), links: [] };
  const links: { readonly path: string; readonly to: string }[] = [];
  let real = '/';
  let names = namesOf(resolve(path));
  for (;;) {
    const [name, ...rest] = names;
    if (name === undefined) return { real, links };
    const next = join(real, name);
    const to = linkAt(next);
    if (to === null) return null;
    if (to === '') {
      real = next;
      names = rest;
      continue;
    }
    if (canBePlanted(next)) throw untrusted(path, next);
    if (links.length === MOST_LINKS) return null;
    links.push({ path: next, to });
    names = [...namesOf(resolve(real, to)), ...rest];
    real = '/';
  }
}

/** The target of a link; empty when it is not a link; null when nothing is there. */
export function linkAt(path: string): string | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    return found.isSymbolicLink() ? readlinkSync(path) : '';
  } catch {
    return null;
  }
}

const namesOf = (path: string) => path.split('/').filter(Boolean);

function untrusted(path: string, link: string): OperatorError {
  const where = path === link ? `${link} is a symbolic link` : `${path} is reached through ${link}, a symbolic link`;
  return new OperatorError('sandbox-refused', `${where} in a place agents can write: it could lead the sandbox anywhere`, {
    hint: `Look at where it leads, and replace it by a real folder or file. It lies in ${dirname(link)}.`,
    exitCode: 4,
  });
}

// Synchronous on purpose: every start asks hundreds of these questions, and promises would take longer than the answers.

/** The real path of something that exists; null otherwise. */
export function realPathOf(path: string): string | null {
  return orElse(null, () => (lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : realpathSync.native(path)));
}

/** Empty when there is no such folder. */
export function entriesOf(folder: string): readonly Dirent[] {
  return orElse([], () => readdirSync(folder, { withFileTypes: true }));
}

/** Empty when there is no such file. */
export function textOf(file: string): string {
  return orElse('', () => readFileSync(file, 'utf8'));
}

function orElse<T>(other: T, look: () => T): T {
  try {
    return look();
  } catch {
    return other;
  }
}
