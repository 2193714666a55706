import type { WallPort } from '../../engine/ports/wall.ts';
import { findWorkTree } from '../../sandbox/os/work-tree.ts';
import { bring, closeRoom, encloseIn, land, openRoom, type RoomPlace, recover } from './room.ts';

export interface Isolated extends AsyncDisposable {
  /** Makes of a wall one behind which all processes have the work tree as a folder of their own, at its usual path. */
  around(wall: WallPort): Promise<WallPort>;
}

/**
 * Files of a work tree cross a wall in both directions, and nothing else: before a process starts its folder is brought to what the operator has, and when it
 * has ended its changes are landed there, but for what the operator has changed meanwhile. What is no file of the project never lands: a repository in the
 * work tree, a pipe, what git ignores.
 */
export function openIsolated(place: RoomPlace): Isolated {
  const room = openRoom(place);
  const inTurn = openTurns();
  let inside = 0;
  const enter = (wall: WallPort) =>
    inTurn(async () => {
      if (inside === 0) await bring(room, wall);
      inside += 1;
    });
  const leave = (wall: WallPort) =>
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
          // Who judges writes nothing, and sees what has landed; what has a copy of its own leaves nothing.
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

/** One after the other, in the order in which they were asked for. */
function openTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
