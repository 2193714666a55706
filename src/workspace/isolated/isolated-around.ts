import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { findWorkTree } from '../../sandbox/os/work-tree.ts';
import { bring, closeRoom, encloseIn, land, openRoom, type RoomPlace, recover } from './room.ts';

export interface Isolated extends AsyncDisposable {
  /** Gives all processes of a sandbox the work tree as a folder of their own, at its usual path. */
  around(wall: SandboxPort): Promise<SandboxPort>;
}

/**
 * Only files of the work tree cross the sandbox. Before a process starts, Ralph copies the operator's files into its folder. When it has ended, Ralph copies
 * its changes back, except to files that the operator changed meanwhile. Repositories in the work tree, pipes and ignored files never land.
 */
export function openIsolated(place: RoomPlace): Isolated {
  const room = openRoom(place);
  const inTurn = openTurns();
  let inside = 0;
  const enter = (wall: SandboxPort) =>
    inTurn(async () => {
      if (inside === 0) await bring(room, wall);
      inside += 1;
    });
  const leave = (wall: SandboxPort) =>
    inTurn(async () => {
      inside -= 1;
      if (inside === 0) await land(room, wall);
    });
  return {
    async around(wall) {
      await inTurn(() => recover(room, wall));
      return {
        mode: wall.mode,
        async enclose(call) {
          // A judge writes nothing and sees what has landed. A call with its own folder leaves nothing.
          if (call.judges || call.ownFolder !== undefined || (await findWorkTree(call.cwd, place.commonDir)).root !== place.root)
            return await wall.enclose(call);
          await enter(wall);
          const enclosed = await encloseIn(room, wall, call).catch(async (error: unknown) => {
            await leave(wall);
            throw error;
          });
          return {
            ...enclosed,
            async leave() {
              await enclosed.leave();
              await leave(wall);
            },
          };
        },
      };
    },
    [Symbol.asyncDispose]: () => inTurn(() => closeRoom(room)),
  };
}

/** Runs work one after another, in the order of the calls. */
function openTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
