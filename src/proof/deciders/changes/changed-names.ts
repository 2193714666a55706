import { type Repository, readText } from '../repository.ts';
import type { Names } from './same-test.ts';

export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);

/** A change of more files than this is not a rename. */
const MOST_READ = 300;

const code = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|vue|svelte)$/;

interface Changed {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
}

/** The words, including file names, that the changed sources no longer have, and those that are new in them. */
export async function changedNames(changes: readonly Changed[], base: Repository, claimed: Repository): Promise<Names> {
  const sources = changes.filter(({ path }) => code.test(path)).slice(0, MOST_READ);
  const before = await wordsIn(sources, base, 'removed');
  const after = await wordsIn(sources, claimed, 'added');
  return { gaveUp: new Set([...before].filter((word) => !after.has(word))), tookOn: new Set([...after].filter((word) => !before.has(word))) };
}

/** The name of a file counts if the file is added or removed. */
async function wordsIn(changes: readonly Changed[], tree: Repository, named: Changed['kind']): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const { path, kind } of changes) {
    const text = (await readText(tree, path)) ?? '';
    for (const word of wordsOf(kind === named ? `${path} ${text}` : text)) words.add(word);
  }
  return words;
}
