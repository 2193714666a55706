import type { WallPort, WallRefusal } from '../../engine/ports/wall.ts';
import type { Pins } from './pinned-config.ts';

/** The same wall, and after each process that ran behind it git obeys what it did at the start. */
export function pinsAround(wall: WallPort, pins: Pick<Pins, 'mend'>, onRefused: (refusal: WallRefusal) => void): WallPort {
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
