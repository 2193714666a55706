import { rmdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { WallPort } from '../../engine/ports/wall.ts';
import { openIsolated } from '../isolated/isolated-around.ts';
import type { RoomPlace } from '../isolated/room.ts';
import { openOwnGits } from '../own-git/own-git-around.ts';
import { openCopyWall, uncover } from './open-copy-wall.ts';

interface CopyPlace extends Omit<RoomPlace, 'copy' | 'live' | 'folder' | 'keptBelow'> {
  readonly runFolder: string;
  /** `copyFolderOf` the run. */
  readonly copy: string;
  readonly viewFolder: string;
  readonly runId: string;
  /** For what does not work in the work tree, or only reads it. */
  readonly outside: WallPort;
}

/** Where the copy of a run lies: beside the repository, as its worktrees do, and called as the work tree is, for some tools go by that name. */
export function copyFolderOf({ topLevel, commonDir }: { readonly topLevel: string; readonly commonDir: string }, runId: string): string {
  return join(copiesOf({ topLevel, commonDir }), runId, basename(topLevel));
}

/** Where all of them lie. */
export function copiesOf({ topLevel, commonDir }: { readonly topLevel: string; readonly commonDir: string }): string {
  return join(`${basename(commonDir) === '.git' ? dirname(commonDir) : topLevel}.ralph`, 'copy');
}

/**
 * Without a sandbox: agents and gates work in a whole copy of the work tree, with a repository of its own. Its files land, and its commits come over, as they do
 * from behind one. What lies there after a crash lands first.
 */
export async function openCopy(place: CopyPlace): Promise<{ readonly wall: WallPort } & AsyncDisposable> {
  const { root, commonDir, env, runFolder, copy, runId, sealed, onRefused, outside } = place;
  await uncover(copy);
  const keptBelow = `refs/ralph/kept/${runId}`;
  const isolated = openIsolated({ ...place, live: [], folder: join(runFolder, 'isolated'), keptBelow: `${keptBelow}/files` });
  const gits = openOwnGits({
    ...{ commonDir, env, sealed, onRefused, areCopies: true, areWhole: true },
    ...{ folder: join(runFolder, 'gits'), keptBelow: `${keptBelow}/git` },
  });
  const wall = openCopyWall(place);
  const inside = await gits(wall, await isolated.around(wall));
  const isOfTree = (cwd: string) => !relative(root, cwd).startsWith('..');
  return {
    wall: { mode: wall.mode, enclose: (call) => (call.judges || !isOfTree(call.cwd) ? outside : inside).enclose(call) },
    async [Symbol.asyncDispose]() {
      await isolated[Symbol.asyncDispose]();
      const copies = dirname(dirname(copy));
      for (const folder of [copies, dirname(copies)]) await rmdir(folder).catch(() => undefined);
    },
  };
}
