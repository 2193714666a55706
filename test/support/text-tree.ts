import { type BasePass, basePass, type Change } from '../../src/proof/deciders/base-deciders.ts';
import { lookAtGate } from '../../src/proof/deciders/look-at-gate.ts';
import type { Repository } from '../../src/proof/deciders/repository.ts';
import { meantBy, usedByTests, withUsed } from '../../src/proof/deciders/used-by-tests/used-by-tests.ts';

export type Files = Readonly<Record<string, string>>;

/** A tree that lies in memory. */
export const textTree = (files: Files): Repository => ({
  paths: Object.keys(files),
  read: async (path) => (Object.hasOwn(files, path) ? (files[path] ?? null) : null),
});

export function changesBetween(base: Files, claimed: Files): readonly Change[] {
  const removed = Object.keys(base).filter((path) => !Object.hasOwn(claimed, path));
  const others = Object.keys(claimed).filter((path) => claimed[path] !== base[path]);
  return [
    ...removed.map((path): Change => ({ path, kind: 'removed' })),
    ...others.map((path): Change => ({ path, kind: Object.hasOwn(base, path) ? 'changed' : 'added' })),
  ];
}

export interface PassOf {
  readonly command: string;
  readonly cwd?: string;
  readonly base: Files;
  /** Only what differs; null: the file is gone. */
  readonly claimed: Readonly<Record<string, string | null>>;
  readonly mayChange?: (path: string) => boolean;
}

/** The base pass of a claim, and the tree that it makes of the claimed one. */
export async function passOf({ command, cwd = '', base, claimed, mayChange = () => false }: PassOf): Promise<BasePass & { readonly tree: Files }> {
  const all = Object.fromEntries(Object.entries({ ...base, ...claimed }).filter((entry): entry is [string, string] => entry[1] !== null));
  const changes = changesBetween(base, all);
  const plain = await lookAtGate(command, cwd, textTree(base));
  const sight = withUsed(plain, await usedByTests(meantBy(changes, textTree(base)), [plain], textTree(base)));
  const pass = await basePass({ sights: [sight], changes, base: textTree(base), claimed: textTree(all), mayChange });
  const tree: Record<string, string> = { ...all };
  for (const edit of pass.edits) {
    if (edit.to === 'text') tree[edit.path] = edit.text;
    else if (edit.to === 'base') tree[edit.path] = base[edit.path] ?? '';
    else delete tree[edit.path];
  }
  return { ...pass, tree };
}
