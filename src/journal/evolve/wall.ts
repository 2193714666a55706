import type { EventBody } from '../events/journal-event.ts';
import type { RefusedByWall } from '../state/refused-by-wall.ts';

type WallRefused = Extract<EventBody, { type: 'wall.refused' }>;

/** An agent that knocks at every door of the internet must not fill our memory. */
const MOST_KEPT = 50;

export function afterWallRefused(refused: RefusedByWall, { what, target }: WallRefused): RefusedByWall {
  return { count: refused.count + 1, first: refused.count < MOST_KEPT ? [...refused.first, { what, target }] : refused.first };
}
