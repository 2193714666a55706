import { rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { openIsolated } from '../isolated/isolated-around.ts';
import type { RoomPlace } from '../isolated/room.ts';
import { openOwnGits } from '../own-git/own-git-around.ts';
import { openCopySandbox, uncover } from './open-copy-sandbox.ts';

interface CopyPlace extends Omit<RoomPlace, 'copy' | 'live' | 'folder' | 'keptBelow'> {
  readonly runFolder: string;
  /** `copyFolderOf` the run. */
  readonly copy: string;
  readonly viewFolder: string;
  readonly runId: string;
  /** Whether the sandbox shares only the folder of the copies with the host. The agents' repositories lie there too then. */
  readonly isShared: boolean;
}

export interface Copy extends AsyncDisposable {
  /** Makes every process of a sandbox work in the copy. */
  around(sandbox: SandboxPort): Promise<SandboxPort>;
}

/**
 * Used where nothing can be mounted over the work tree: agents and gates work in a complete copy with its own repository. Files land and commits come over as
 * from the os sandbox. What a crash left in the copy lands first.
 */
export async function openCopy(place: CopyPlace): Promise<Copy> {
  const { root, commonDir, env, runFolder, copy, runId, sealed, onRefused, isShared } = place;
  await uncover(copy);
  const keptBelow = `refs/ralph/kept/${runId}`;
  const isolated = openIsolated({ ...place, live: [], folder: join(runFolder, 'isolated'), keptBelow: `${keptBelow}/files` });
  const copies = dirname(dirname(copy));
  const sharedFolder = isShared ? join(copies, `${runId}.git`) : undefined;
  const gits = openOwnGits({
    ...{ commonDir, env, sealed, onRefused, areCopies: true, areWhole: true, sharedFolder },
    ...{ folder: join(runFolder, 'gits'), keptBelow: `${keptBelow}/git` },
  });
  const isOfTree = (cwd: string) => !relative(root, cwd).startsWith('..');
  return {
    async around(sandbox) {
      const wall = openCopySandbox({ ...place, sandbox });
      const inside = await gits(wall, await isolated.around(wall));
      // A sandbox that shares only the copies sees neither the operator's repository nor the operator's files.
      const outside = isShared ? await gits(wall, sandbox) : sandbox;
      return {
        mode: sandbox.mode,
        async enclose(call) {
          if (!isOfTree(call.cwd)) return await outside.enclose(call);
          if (!call.judges) return await inside.enclose(call);
          return await (isShared ? inside.enclose({ ...call, judges: false }) : sandbox.enclose(call));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await isolated[Symbol.asyncDispose]();
      // The sandbox outlives the run, and with it the folder that it shares.
      for (const folder of sharedFolder === undefined ? [copies, dirname(copies)] : [sharedFolder]) await rmdir(folder).catch(() => undefined);
    },
  };
}
