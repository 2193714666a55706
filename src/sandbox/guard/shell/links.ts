import { absolute } from '../paths.ts';
import type { Scope } from './scope.ts';

/** More names than a path has. */
const MOST_NAMES = 64;

/** A word as a path behind the links of this line; the word itself: it lies under none. What is done to a link itself is done to the link. */
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
