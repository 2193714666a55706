import type { WallPort, WallRefusal } from '../engine/ports/wall.ts';

/** What git obeys, as it was at the start of the run. */
interface Pins {
  /** Puts back what differs, and names it. */
  mend(): Promise<readonly string[]>;
}

type OnRefused = (refusal: WallRefusal) => void;

interface GuardParts {
  /** Null where there is no repository. */
  readonly pins: Pins | null;
  readonly onRefused: OnRefused;
}

/** No wall: whatever runs can do what its user can. But what it has planted for the next git to run is gone before that one runs. */
export function openGuardWall({ pins, onRefused }: GuardParts): WallPort {
  const none: WallPort = {
    mode: 'guard',
    enclose: async ({ file, args, cwd, env }) => ({ file, args, cwd, env, askDepth: 0, leave: async () => undefined }),
  };
  return pins === null ? none : pinsAround(none, pins, onRefused);
}

/** The same wall, and after each process that ran behind it git obeys what it did at the start. */
export function pinsAround(wall: WallPort, pins: Pins, onRefused: OnRefused): WallPort {
  return {
    mode: wall.mode,
    async enclose(call) {
      const enclosed = await wall.enclose(call);
      return {
        ...enclosed,
        async leave() {
          try {
            await enclosed.leave();
          } finally {
            for (const target of await pins.mend()) onRefused({ what: 'planted', target });
          }
        },
      };
    },
  };
}
