import type { WallRefusal } from '../engine/ports/wall.ts';
import type { Watcher } from '../engine/watcher.ts';

export interface WallRefusals {
  readonly watcher: Watcher;
  /** Told once for each target, whenever it comes. */
  readonly refuse: (refusal: WallRefusal) => void;
}

/** An agent that knocks at every door must not fill the journal. */
const MOST_TOLD = 200;

/** What the wall does not let through, as events of the run. What comes before the run is at work is told when it is. */
export function watchRefusals(): WallRefusals {
  const known = new Set<string>();
  const waiting: WallRefusal[] = [];
  let tell: ((refusal: WallRefusal) => void) | null = null;
  return {
    refuse(refusal) {
      const name = `${refusal.what} ${refusal.target}`;
      if (known.has(name) || known.size >= MOST_TOLD) return;
      known.add(name);
      if (tell === null) waiting.push(refusal);
      else tell(refusal);
    },
    watcher: (told) => {
      tell = ({ what, target }) => void told({ type: 'wall.refused', what, target });
      for (const refusal of waiting.splice(0)) tell(refusal);
      return {
        async [Symbol.asyncDispose]() {
          tell = () => undefined;
        },
      };
    },
  };
}
