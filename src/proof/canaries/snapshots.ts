import { baseName, type Plant, splitWord } from './plant.ts';

const STORED = /^(exports\[`(?:[^`\\]|\\.)*`\] = )`(?:[^`\\]|\\.)*`;/gm;

/** The path where jest and vitest keep the snapshots of a test file. */
export function snapshotsOf(path: string): string {
  const folder = path.slice(0, path.length - baseName(path).length);
  return `${folder}__snapshots__/${baseName(path)}.snap`;
}

/** The snapshots, each with another text, which is assembled only when they are read. Null if there are none. */
export function alterSnapshots({ path, text, token }: { readonly path: string; readonly text: string; readonly token: () => string }): Plant | null {
  const word = splitWord(token());
  const altered = text.replace(STORED, (_, name: string) => `${name}['${word.first}', '${word.second}'].join('');`);
  return altered === text ? null : { path, text: altered, tokens: [word.whole], cases: 0 };
}
