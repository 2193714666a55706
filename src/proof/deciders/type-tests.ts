import type { Trail } from './follow/trail.ts';
import { folderOf, importsOf, isTestPlace, readText } from './repository.ts';

/** How tests of types state what they expect: only a compiler ever runs them. */
const expectsTypes =
  /\b(?:Expect|ExpectTrue|Equals?|IsEqual|IsExact|Assert|AssertTrue|AssertExtends|expectType|expectTypeOf|expectAssignable|expectNotType|assertType)\s*[<(]/;
const isTyped = (path: string) => /\.[cm]?tsx?$/.test(path);
const isNamedSo = (path: string) => /[.-](?:test|spec)-d\.[cm]?ts$|\.types?\.(?:test|spec)\.[cm]?ts$/.test(path);

/** The most files that are read. */
const MOST_READ = 500;

/** Tests that a type checker decides, with the helpers that they import from folders for tests. */
export async function typeTests({ starts, repository, index }: Trail): Promise<ReadonlySet<string>> {
  if (!starts.some(({ tool }) => tool.name === 'tsc')) return new Set();
  const found = new Set<string>();
  for (const path of repository.paths.filter((each) => isTyped(each) && (isTestPlace(each) || isNamedSo(each))).slice(0, MOST_READ)) {
    const text = (await readText(repository, path)) ?? '';
    if (!isNamedSo(path) && !expectsTypes.test(text)) continue;
    for (const each of [path, ...importsOf(text, folderOf(path), index).filter(isTestPlace)]) found.add(each);
  }
  return found;
}
