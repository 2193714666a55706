import type { SandboxPort } from '../../engine/ports/sandbox.ts';
import { findWorkTree } from '../../sandbox/os/work-tree.ts';
import { gatesFolderOf } from './landed.ts';
import { bring, closeRoom, encloseIn, land, openRoom, type RoomPlace, recover } from './room.ts';
import { withPackages } from './with-packages.ts';

export interface Isolated extends AsyncDisposable {
  /** Gives all processes of a sandbox the work tree as a folder of their own, at its usual path. */
  around(wall: SandboxPort): Promise<SandboxPort>;
}

/**
 * Only files of the work tree cross the sandbox. Before a process starts, Ralph copies the operator's files into its folder. When it has ended, Ralph copies
 * its changes back, except to files that the operator changed meanwhile. Repositories in the work tree, pipes and ignored files never land.
 */
export function openIsolated(place: RoomPlace): Isolated {
  const agents = { room: openRoom(place), inside: 0 };
  const gates = place.copy === undefined ? { room: openRoom({ ...place, folder: gatesFolderOf(place.folder), isOfGates: true }), inside: 0 } : agents;
  const both = new Set([gates, agents]);
  const inTurn = openTurns();
  const enter = (user: typeof agents, wall: SandboxPort) =>
    inTurn(async () => {
      if (user.inside === 0) await bring(user.room, wall);
      user.inside += 1;
    });
  const leave = (user: typeof agents, wall: SandboxPort) =>
    inTurn(async () => {
      user.inside -= 1;
      if (user.inside === 0) await land(user.room, wall);
    });
  return {
    async around(wall) {
      for (const { room } of both) await inTurn(() => recover(room, wall));
      return {
        mode: wall.mode,
        async enclose(call) {
          // A judge writes nothing and sees what has landed. A call with its own folder leaves nothing.
          if (call.judges || call.ownFolder !== undefined || (await findWorkTree(call.cwd, place.commonDir)).root !== place.root)
            return await wall.enclose(call);
          const user = call.who === 'agent' ? agents : gates;
          await enter(user, wall);
          const furnished = user === agents ? call : withPackages(call, { gates: user.room, agents: agents.room });
          const enclosed = await encloseIn(user.room, wall, furnished).catch(async (error: unknown) => {
            await leave(user, wall);
            throw error;
          });
          return {
            ...enclosed,
            async leave() {
              await enclosed.leave();
              await leave(user, wall);
            },
          };
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const { room } of both) await inTurn(() => closeRoom(room));
    },
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
