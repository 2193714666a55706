import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnGit, SandboxPort } from '../../engine/ports/sandbox.ts';
import { type Git, headOf, type Variables } from '../git/git-command.ts';
import { OUR_NAME } from '../git/git-place.ts';
import { bringObjects } from '../own-git/cross.ts';
import { packBehind } from '../own-git/run-behind.ts';
import { must } from '../tasks/locks.ts';

interface KeepPlace {
  readonly git: Git;
  readonly root: string;
  readonly commonDir: string;
  readonly env: Variables;
  /** The repository that has the objects of the tree. */
  readonly reader: OwnGit;
  readonly folder: string;
}

/** Keeps a tree that cannot land as a commit on HEAD, under a ref of Ralph's. */
export async function keepTree(
  wall: SandboxPort,
  { git, root, commonDir, env, reader, folder }: KeepPlace,
  { tree, ref }: { readonly tree: string; readonly ref: string },
): Promise<void> {
  const head = await headOf(git);
  const apart = join(folder, randomUUID());
  await mkdir(apart, { recursive: true });
  const pack = (revisions: readonly string[], file: string) => packBehind(wall, { root, env, ownGit: reader }, revisions, file);
  await bringObjects({ git, commonDir, before: { head, tips: new Map() }, folder: apart, pack }, [tree]);
  const parent = head === null ? [] : ['-p', head];
  const commit = must(
    await git(['commit-tree', tree, ...parent, '-m', 'What an agent made, which did not land'], OUR_NAME),
    'what an agent made cannot be kept',
  );
  must(await git(['update-ref', ref, commit]), 'what an agent made cannot be kept');
  await rm(apart, { recursive: true, force: true });
}
