import { absolute } from '../paths.ts';
import type { Scope } from './scope.ts';

/** The most names of a path that are followed. */
const MOST_NAMES = 64;

/**
 * Resolves a word through the links that this line has created; returns the word itself when there is none. The last name is not resolved, because a command on
 * a link acts on the link.
 */
export function behindLinks(word: string, { links, cwd }: Pick<Scope, 'links' | 'cwd'>, home: string | null): string {
  if (links.size === 0 || !word.includes('/')) return word;
  const path = absolute(word, { cwd, home });
  let end = path.indexOf('/', 1);
  for (let names = 0; end !== -1 && names < MOST_NAMES; names += 1) {
    const target = links.get(path.slice(0, end));
    if (target !== undefined) return `${target === '/' ? '' : target}${path.slice(end)}`;
    end = path.indexOf('/', end + 1);
  }
  return word;
}
